/** The peers, each set up as its own documentation says. */
import { bare, mswByHand, mswMiddleware } from './by-hand.ts'
import { jsonServer } from './json-server.ts'
import { mockoon } from './mockoon.ts'
import type { Peer } from './peer.ts'
import { prism } from './prism.ts'
import { wiremock } from './wiremock.ts'

export const peers: readonly Peer[] = [bare, prism, mockoon, jsonServer, wiremock, mswMiddleware, mswByHand]

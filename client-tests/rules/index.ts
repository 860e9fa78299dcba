/** All rules for clients, in the order in which reports show them: credits and refusals, runs, errors, answers, requests, endings. */
import type { Rule } from '../rule.ts'
import { eitherShape, extraFields } from './answers.ts'
import { lostAnswer, noCredits } from './credits.ts'
import { endsInTime, finishesWork } from './endings.ts'
import { encodedIds } from './ids.ts'
import { pace, stops, strangeStatus } from './polling.ts'
import { branches, pauses, refused, retries, unauthorized, waitsDate, waitsSeconds } from './refusals.ts'
import { declaredBody, jsonBody, keyInHeader, keySecret, noOrganization } from './requests.ts'
import { busy, byId, followed } from './runs.ts'

export const rules: readonly Rule[] = [
  [noCredits, lostAnswer, waitsSeconds, waitsDate, retries, pauses],
  [busy, byId, strangeStatus, stops, pace, followed],
  [branches, refused, unauthorized],
  [eitherShape, extraFields],
  [keyInHeader, keySecret, noOrganization, jsonBody, declaredBody, encodedIds],
  [endsInTime, finishesWork],
].flat()

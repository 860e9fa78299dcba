/** Names that other tools use for the same faults. */
import { gatewayKeywordByStatus } from './gateway.ts'

/** The keywords of faults, by the names that other tools use for the same faults. */
export const keywordByAlias: Readonly<Record<string, string>> = {
  connection_reset_by_peer: 'reset',
  reset_peer: 'reset',
  return_reset_connection: 'reset',
  empty_response: 'empty',
  truncate_body: 'truncate',
  malformed_response_chunk: 'malformed',
  malformed_body: 'malformed',
  slicer: 'dribble',
  chunked_dribble_delay: 'dribble',
  timeout: 'hang',
  latency: 'delay',
  wait: 'delay',
  lost_answer: 'lost',
  ...gatewayKeywordByStatus,
}

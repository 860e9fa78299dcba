/** What a client needs to reach a running mock: shown by the banner, written to the ready file, set for a command. */
import { lstatSync, readFileSync, rmSync } from 'node:fs'
import type { Mock } from '#mocks/app.ts'
import type { Listener } from '#mocks/edges/http.ts'
import { write } from '../files.ts'

/** Everything a client needs; also the content of the ready file. */
export interface Ready {
  readonly url: string
  readonly pid: number
  readonly api_key: string
  readonly other_api_key: string
  readonly session_cookie: string
  readonly other_session_cookie: string
  /** Contains the admin token, if there is one. */
  readonly states_url: string
  /** The token that control calls must send; absent: none. */
  readonly admin_token?: string
}

export function describeMock(mock: Mock, { url, adminToken }: Listener): Ready {
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = mock.credentials()
  const states = `${url}/__admin/states`
  return {
    url,
    pid: process.pid,
    api_key: apiKey,
    other_api_key: otherApiKey,
    session_cookie: sessionCookie,
    other_session_cookie: otherSessionCookie,
    states_url: adminToken === undefined ? states : `${states}?token=${encodeURIComponent(adminToken)}`,
    ...(adminToken === undefined ? {} : { admin_token: adminToken }),
  }
}

/** The same as environment variables, named as `verify` and `check` name them. */
export function variablesOf(ready: Ready): Record<string, string> {
  return {
    WORK_AGENT_BASE_URL: ready.url,
    WORK_AGENT_API_KEY: ready.api_key,
    WORK_AGENT_OTHER_API_KEY: ready.other_api_key,
    WORK_AGENT_SESSION_COOKIE: ready.session_cookie,
    WORK_AGENT_OTHER_SESSION_COOKIE: ready.other_session_cookie,
    WORK_AGENT_STATES_URL: ready.states_url,
  }
}

/** Removes a ready file that an earlier mock left behind; nothing but a regular file is removed. */
export function removeOldReadyFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file, { force: true })
}

/** Writes the ready file, which is removed when the process exits. @throws UsageError if it cannot be written. */
export function writeReadyFile(file: string, ready: Ready): void {
  const text = `${JSON.stringify(ready, null, 2)}\n`
  write(file, text, 0o600)
  process.once('exit', () => {
    // A mock that was started since may have written its own.
    if (isOurs(file, text)) removeOldReadyFile(file)
  })
}

function isOurs(file: string, text: string): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file, 'utf8') === text
  } catch {
    return false
  }
}

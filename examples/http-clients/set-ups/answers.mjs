// The answers of HTTP clients, as `clients.mjs` prints them: the status and the length.

/** An answer of fetch or of something like it. */
export const ofFetch = async (answer) => [answer.status, (await answer.text()).length]

/** An answer that has its data already. */
export const ofData = (status, data) => [
  status,
  (typeof data === 'string' ? data : JSON.stringify(data ?? '')).length,
]

/** The text of a stream of Node. */
export async function textOf(stream) {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

/** Reads a stream of Server-Sent Events. */

/** One event; comments are left out. */
export interface ReceivedEvent {
  readonly id: string | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: events of several shapes
  readonly data: any
}

export async function* eventsIn({ body }: Response): AsyncGenerator<ReceivedEvent, undefined> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const event = field('event')
      if (event !== undefined) yield { id: field('id'), event, data: JSON.parse(field('data') ?? '') }
    }
  }
}

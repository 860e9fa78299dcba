/** An input of `verify` that does not work, and answers that show it. */

/** What `verify` is given besides a base URL, by the name of its variable without `WORK_AGENT_`. */
export type Inputs = Readonly<Record<string, string>>

/** A request to the service or to its states endpoint, and its body. */
interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: { readonly state?: string; readonly action?: string } | undefined
}

export interface BadInput {
  readonly id: string
  readonly title: string
  /** The flag that the line must begin with. */
  readonly flag: string
  /** A part of the line. */
  readonly line: string
  /** Inputs that differ from those that work. */
  readonly inputs?: (good: Inputs) => Inputs
  /** An answer in place of that of the service. */
  readonly answer?: (request: Request) => Response | undefined
}

/** Inputs by `id: What comes of it`. */
export const badInputsOf = (
  rows: Readonly<Record<string, Omit<BadInput, 'id' | 'title'>>>,
): readonly BadInput[] =>
  Object.entries(rows).map(([named, input]) => {
    const [, id = '', title = ''] = /^(\S+): (.+)$/.exec(named) ?? []
    return { id, title, ...input }
  })

/** A page of a website. */
export const html = (status = 200) =>
  new Response('<!doctype html><title>Welcome</title>', { status, headers: { 'content-type': 'text/html' } })
/** A refusal in the format of the API. */
export const refused = (status = 401) => Response.json({ error: 'unauthorized', message: 'No.' }, { status })
export const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
/** Nothing listens there. */
export const closed = 'http://127.0.0.1:2'

/** Whether a request carries a credential. */
export const isFrom = (request: Request, credential: string) =>
  (request.headers.get('authorization') ?? request.headers.get('cookie'))?.includes(credential) === true
/** Answers requests to the states endpoint only. */
export const states = (answer: (request: Request) => Response | undefined) => (request: Request) =>
  request.path.endsWith('/states') ? answer(request) : undefined
/** Inputs with another value of one. */
export const replace = (name: string, value: string) => () => ({ [name]: value })

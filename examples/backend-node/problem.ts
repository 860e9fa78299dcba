import { HTTPException } from 'hono/http-exception'

type Status = 400 | 401 | 402 | 404 | 409 | 422 | 429 | 503

/** The exception that ends a request with an error answer (§7). */
export const problem = (status: Status, error: string, message: string, headers = {}) =>
  new HTTPException(status, { res: Response.json({ error, message }, { status, headers }) })

/** Handlers as people write them: the routes that a test needs, and a Map. */

/** `http` and `HttpResponse` are those of the msw that is to use them. */
export function handlersOf({ http, HttpResponse }, whoami, tasks) {
  const kept = new Map(tasks.map((task) => [task.id, task]))
  const authorized = (answer) => (info) =>
    info.request.headers.get('authorization')?.startsWith('Bearer ')
      ? answer(info)
      : HttpResponse.json({ error: 'unauthorized', message: 'No key.' }, { status: 401 })
  return [
    http.get(
      '*/api/cli/whoami',
      authorized(() => HttpResponse.json(whoami)),
    ),
    http.post(
      '*/api/cli/tasks',
      authorized(async ({ request }) => {
        const { text } = await request.json()
        const at = new Date().toISOString()
        const id = crypto.randomUUID()
        const task = { id, text, description: null, status: 'pending', created_at: at, updated_at: at }
        kept.set(id, task)
        return HttpResponse.json({ task })
      }),
    ),
    http.get(
      '*/api/cli/tasks/:id',
      authorized(({ params }) => {
        const task = kept.get(params.id)
        return task
          ? HttpResponse.json({ task, finished: false })
          : HttpResponse.json({ error: 'not_found', message: 'No such task.' }, { status: 404 })
      }),
    ),
  ]
}

/** The work of the command: it says who it is, then has each task done, one after the other. */
import { type Client, Refusal } from './client.ts'

/**
 * Creates a task of each text, runs it and waits for its end. `say` is given one line at a time. Returns whether
 * every task was run.
 */
export async function work(
  client: Client,
  texts: readonly string[],
  say: (line: string) => void,
): Promise<boolean> {
  let done = true
  const { org, credits } = await client.whoami()
  const { items } = await client.listTasks()
  say(`${org.name ?? org.id}: ${credits} credits, ${items.length} tasks`)
  const leads = await client.listLeads()
  if (leads) say(`${leads.prospects.length} prospects`)
  for (const text of texts) {
    const task = await client.createTask({ text })
    try {
      say(`${text}: ${(await client.runTask(task)).status}`)
    } catch (error) {
      // This task cannot be run as things are; the next one may.
      if (!(error instanceof Refusal && error.code === 'invalid_request')) throw error
      say(`${text}: refused, ${error.message}`)
      done = false
    }
  }
  return done
}

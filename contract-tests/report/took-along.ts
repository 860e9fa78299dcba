/** What a run did for requirements beyond their own requests, in words. Pure. */

/** Shared evidence that changes or spends something, or takes long, by its name. */
const words: Readonly<Record<string, string>> = {
  run: 'a run',
  'failed run': 'a failing run',
  'second run': 'a second run of a task',
  'second failure': 'a second failing run',
  'consecutive runs': 'runs of two tasks',
  busy: 'runs that wait',
  'no credits': 'requests at zero balance',
  'runs with one credit': 'simultaneous runs with one credit',
  creative: 'a generation',
  'failed creative': 'a failing generation',
  'one limit': 'requests beyond a limit',
  'limited run': 'a run beyond a limit',
  outage: 'requests during an outage',
  'unavailable run': 'a run during an outage',
  key: 'a created key',
  'deleted keys': 'deleted keys',
  'fellow keys': 'keys created and deleted side by side',
  notification: 'a notification',
  'arrived notifications': 'three notifications',
  'newest task': 'many tasks',
  'newest document': 'many documents',
  'other session': 'a key of the second organization',
}

const control = /^positive control (.+)$/

/** The shared evidence with these names; valid requests by their operations. */
export function tookAlong(names: readonly string[]): string[] {
  const controls = names.flatMap((name) => control.exec(name)?.[1] ?? [])
  const known = names.flatMap((name) => words[name] ?? [])
  return [...known, ...(controls.length > 0 ? [`valid requests of ${controls.join(', ')}`] : [])]
}

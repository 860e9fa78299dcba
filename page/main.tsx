/** Starts the page, once the browser has painted what the HTML itself shows. */
import { render } from 'preact'
import { keepHelp, listenToKeys } from './keys.ts'
import { Shell } from './shell.tsx'
import { listenToFiles } from './state/files.ts'
import { follow } from './state/live.ts'
import { keepDetails } from './state/requests.ts'

function start(): void {
  const root = document.getElementById('page')
  if (root) render(<Shell />, root)
  listenToKeys()
  keepHelp()
  keepDetails()
  listenToFiles()
}

follow()
// A hidden page is not painted.
if (document.hidden) start()
else requestAnimationFrame(() => setTimeout(start))

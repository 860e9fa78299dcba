/** Starts the page. */
import { render } from 'preact'
import { listenToKeys } from './help.tsx'
import { Shell } from './shell.tsx'
import { keepDetails } from './state/details.ts'
import { follow } from './state/live.ts'

const root = document.getElementById('page')
if (root) render(<Shell />, root)
listenToKeys()
follow()
keepDetails()

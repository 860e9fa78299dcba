/** The key is deleted while it is in use (§5.3). */
import type { Scenario } from './scenario.ts'

export const deletedKey: Scenario = {
  id: 'deleted-key',
  title: 'The key is deleted while it is in use',
  shows:
    'Three requests are answered; then the key is gone, and everything is 401 unauthorized. A good client stops and asks for a key.',
  options: { seed: 'deleted-key', fault: 'unauthorized;after=3' },
  expects: ['stops-at-401'],
}

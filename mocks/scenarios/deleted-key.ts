/** The key is deleted while it is in use (§5.3). */
import { scenario } from './scenario.ts'

export const deletedKey = scenario({
  id: 'deleted-key',
  title: 'The key is deleted while it is in use',
  shows:
    'Three requests succeed; then the key is deleted and every request returns 401 unauthorized. A good client stops and asks for a new key.',
  options: { seed: 'deleted-key', fault: 'unauthorized;after=3' },
  expects: ['stops-at-401'],
  canFinish: false,
  checkOptions: { fault: 'unauthorized;after=1' },
})

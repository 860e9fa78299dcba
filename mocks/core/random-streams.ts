/** The random streams of one organization. */
import type { Stream } from './changes.ts'
import { reporting, type SeededRandom } from './random.ts'
import type { OrganizationState } from './state.ts'

/** Streams of ids, of outcomes of runs and of delays, each independent of the others. */
export class RandomStreams {
  readonly ids: SeededRandom
  readonly outcomes: SeededRandom
  readonly delays: SeededRandom

  /** `drew` is called with the number of words that a stream has drawn. */
  constructor(random: (stream: Stream) => SeededRandom, drew: (stream: Stream, words: number) => void) {
    const stream = (name: Stream) => reporting(random(name), (words) => drew(name, words))
    this.ids = stream('ids')
    this.outcomes = stream('outcomes')
    this.delays = stream('delays')
  }

  /** Returns the positions of the streams. */
  dump(): OrganizationState['chance'] {
    return { ids: this.ids.dump(), outcomes: this.outcomes.dump(), delays: this.delays.dump() }
  }

  /** Continues from saved positions. */
  restore({ ids, outcomes, delays }: OrganizationState['chance']): void {
    this.ids.restore(ids)
    this.outcomes.restore(outcomes)
    this.delays.restore(delays)
  }
}

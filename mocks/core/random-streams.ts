/** The random streams of one organization. */
import type { Changes } from './changes.ts'
import type { SeededRandom } from './random.ts'
import type { OrganizationState } from './state.ts'

type Drawn = Readonly<Record<keyof OrganizationState['chance'], number>>

/** Streams of ids, of outcomes of runs and of delays, each independent of the others. */
export class RandomStreams {
  readonly ids: SeededRandom
  readonly outcomes: SeededRandom
  readonly delays: SeededRandom
  /** How many words of each were drawn: a row whose changes are recorded. */
  readonly drawn: Drawn

  constructor(random: (scope: keyof Drawn) => SeededRandom, changes: Changes) {
    const [ids, outcomes, delays] = [random('ids'), random('outcomes'), random('delays')]
    const changing = (before: Partial<Drawn>) => changes.changing('chance', this.drawn, before)
    ids.drawing = () => changing({ ids: ids.drawn })
    outcomes.drawing = () => changing({ outcomes: outcomes.drawn })
    delays.drawing = () => changing({ delays: delays.drawn })
    this.ids = ids
    this.outcomes = outcomes
    this.delays = delays
    this.drawn = {
      get ids() {
        return ids.drawn
      },
      get outcomes() {
        return outcomes.drawn
      },
      get delays() {
        return delays.drawn
      },
    }
  }

  /** Returns the positions of the streams, or those after so many words of each. */
  dump({ ids, outcomes, delays } = this.drawn): OrganizationState['chance'] {
    return {
      ids: this.ids.dump(ids),
      outcomes: this.outcomes.dump(outcomes),
      delays: this.delays.dump(delays),
    }
  }

  /** Continues from saved positions. */
  restore({ ids, outcomes, delays }: OrganizationState['chance']): void {
    this.ids.restore(ids)
    this.outcomes.restore(outcomes)
    this.delays.restore(delays)
  }
}

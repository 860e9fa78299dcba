/** Break it: faults, scenarios, chaos and quirks, each by choosing it, and each as a line to copy. */
import { useEffect } from 'preact/hooks'
import { loadVocabulary, vocabulary } from '../../state/overview.ts'
import { ChaosCard } from './chaos.tsx'
import { FaultCard } from './fault.tsx'
import { RulesCard } from './rules.tsx'
import { ScenariosCard } from './scenarios.tsx'

/** The view. */
export function BreakView() {
  useEffect(() => void loadVocabulary(), [])
  const words = vocabulary.value
  if (!words) return <p class="empty">Loading …</p>
  return (
    <>
      <div class="cards two">
        <FaultCard words={words} />
        <RulesCard />
      </div>
      <ScenariosCard />
      <ChaosCard quirks={words.quirks} />
    </>
  )
}

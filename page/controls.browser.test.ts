/** Every control of every view has an effect, in both schemes and at each width, and none of them fails. */
import type { Page } from '@playwright/test'
import { expect, test, vi } from 'vitest'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { addTasks, openPage, pageAddresses, waitUntilDrawn } from './testing/browser-page.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 })

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1600, 1024, 390].map((width) => ({ colorScheme, width })),
)

/** The facts about a control that a press needs. */
interface Aim {
  readonly name: string
  readonly kind: 'press' | 'pick' | 'write'
}

/** Opens what is folded, fills what is required, marks every control that can be used now, and describes each. */
const aims = (page: Page) =>
  page.evaluate((): Aim[] => {
    for (const folded of document.querySelectorAll<HTMLDetailsElement>('main details')) folded.open = true
    const samples: Record<string, string> = { headers: 'x-a: 1', path: '/api/cli/whoami', runDuration: '2s' }
    const sampleOf = ({ type, name }: HTMLInputElement) => {
      if (type === 'number') return '3'
      return type === 'datetime-local' ? '2030-01-02T03:04' : (samples[name] ?? 'ada')
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('form.row :is(input, textarea)'))
      if (field.value === '') field.value = sampleOf(field)
    const all = (document.querySelector('dialog[open]') ?? document).querySelectorAll<HTMLInputElement>(
      'button, a[href], summary, select, input:not([type=file]), textarea',
    )
    const found: Aim[] = []
    for (const one of all) {
      delete one.dataset.aim
      const here = one.matches('[aria-current], .skip, form.row :is(input, select, textarea)')
      if (here || one.disabled || !one.checkVisibility()) continue
      const label = one.getAttribute('aria-label') ?? one.closest('label')?.innerText ?? one.innerText
      const name = `${one.localName} ${label.trim().split('\n')[0]}`
      const writes = one.matches('input:not([type=checkbox]), textarea')
      one.dataset.aim = String(found.length)
      found.push({ name, kind: one.matches('select') ? 'pick' : writes ? 'write' : 'press' })
    }
    return found
  })

/** Everything that a control may change. */
const shownBy = (page: Page) =>
  page.evaluate(async () =>
    JSON.stringify([
      location.hash,
      document.body.innerText,
      [...document.querySelectorAll('details')].map(({ open }) => open),
      [...document.querySelectorAll('[aria-pressed], [aria-expanded], [aria-checked]')].map(
        (one) => `${one.ariaPressed} ${one.ariaExpanded} ${one.ariaChecked}`,
      ),
      await navigator.clipboard.readText(),
    ]),
  )

async function use(page: Page, place: number, { kind }: Aim): Promise<void> {
  const control = page.locator(`[data-aim="${place}"]`)
  if (kind === 'press') await control.click({ timeout: 5_000 })
  else if (kind === 'write')
    await control.fill(
      await control.evaluate((one: HTMLInputElement) => (one.type === 'range' ? '1' : '404')),
    )
  else {
    const values = await control.evaluate((one: HTMLSelectElement) =>
      [...one.options].filter(({ selected }) => !selected).map(({ value }) => value),
    )
    if (values.length > 0) await control.selectOption(values[0] as string)
  }
}

describeInBrowser('every control', () => {
  test.each(sampleUnlessExhaustive(pageAddresses, 2))('of %s', async (view) => {
    const { page, go, send, mock } = await openPage({
      options: { credits: 5, runDuration: '1h' },
      expected: /status of 4\d\d/,
    })
    const [task = ''] = await addTasks(send)
    await send('GET', '/whoami', undefined, 'bob')
    mock.organization().faults.add('listTasks=503;times=3')
    const kept = mock.snapshot()
    const address = view.replace('TASK', task)
    const problems: string[] = []
    let turn = pageAddresses.indexOf(view)
    for (const look of isExhaustiveTestRun ? looks : [undefined]) {
      for (
        let place = isExhaustiveTestRun ? 0 : turn % 9, count = place + 1;
        place < count;
        place += isExhaustiveTestRun ? 1 : 81
      ) {
        const { colorScheme, width } = look ?? (looks[turn++ % looks.length] as (typeof looks)[number])
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        // A restore loses the past of the mock; a view of the past changes nothing, so it needs none.
        if (!address.includes('at=')) mock.restore(kept)
        // A browser loads the page again only if it comes from another address.
        if (page.url() !== 'about:blank') await page.goto('about:blank')
        await go(address)
        await page.evaluate(() => navigator.clipboard.writeText(''))
        await waitUntilDrawn(page)
        if (address.includes('n=')) await page.locator('#request-title').waitFor()
        const all = await aims(page)
        count = all.length
        const aim = all[place]
        if (!aim) continue
        const before = await shownBy(page)
        const here = `${aim.name} (${width} ${colorScheme})`
        try {
          await use(page, place, aim)
          await vi.waitUntil(async () => (await shownBy(page)) !== before, { timeout: 3_000, interval: 20 })
        } catch (error) {
          problems.push(`${here}: ${String(error).split('\n')[0]}`)
        }
        await page.keyboard.press('Escape')
        const failures = await page.locator('.notice.failed').allInnerTexts()
        problems.push(...failures.map((failure) => `${here}: ${failure.split('\n')[0]}`))
        if ((await page.locator('main').innerText()) === '') problems.push(`${here}: an empty view`)
      }
    }
    expect(problems).toEqual([])
  })
})

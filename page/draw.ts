/** How components follow signals: one is drawn again when its properties change, or a signal that it read. */
import { effect, type Signal, signal } from '@preact/signals-core'
import { type ComponentChildren, h as create, Fragment, type FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

type Props = Readonly<Record<string, unknown>>

interface Drawing {
  readonly props: Props
  readonly children: ComponentChildren
  /** Whether a signal changed that it read. */
  old: boolean
  readonly stop: () => void
}

const drawn = new WeakMap<FunctionComponent<Props>, FunctionComponent<Props>>()

/** Creates an element as Preact does; its component follows signals. */
export function h(type: string | FunctionComponent<Props>, ...rest: [Props | null, ...ComponentChildren[]]) {
  if (typeof type === 'string' || (type as unknown) === Fragment) return create(type as string, ...rest)
  const following = drawn.get(type) ?? followed(type)
  drawn.set(type, following)
  return create(following, ...rest)
}

/** A value that belongs to one component, as a signal. */
export const useSignal = <Value>(value: Value): Signal<Value> => useState(() => signal(value))[0]

/** What came of a load; neither of them: it is under way. */
interface Loaded<Value> {
  readonly value?: Value
  readonly problem?: string
}

/** Loads something whenever the key changes; what comes after that belongs to an older key, and does not count. */
export function useLoaded<Value>(key: unknown, load: () => Promise<Value> | undefined): Loaded<Value> {
  const loaded = useSignal<Loaded<Value>>({})
  useEffect(() => {
    let current = true
    const take = (found: Loaded<Value>) => {
      if (current) loaded.value = found
    }
    take({})
    load()?.then(
      (value) => take({ value }),
      ({ message }: Error) => take({ problem: message }),
    )
    return () => {
      current = false
    }
  }, [key])
  return loaded.value
}

const followed = (component: FunctionComponent<Props>): FunctionComponent<Props> =>
  function Followed(props) {
    const [, again] = useState({})
    const now = useRef<Drawing | undefined>(undefined)
    useLayoutEffect(() => () => now.current?.stop(), [])
    const before = now.current
    if (before && !before.old && isSame(props, before.props)) return before.children
    before?.stop()
    let children: ComponentChildren
    let drawing: Drawing | undefined
    const stop = effect(() => {
      if (!drawing) children = component(props) as ComponentChildren
      else {
        drawing.old = true
        again({})
      }
    })
    drawing = { props, children, old: false, stop }
    now.current = drawing
    return children
  }

function isSame(one: Props, other: Props): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
  )
}

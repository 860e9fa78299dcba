/**
 * The redrawing of components when their properties or a signal that they read change, and the values that they keep.
 */
import { effect, type Signal, signal } from '@preact/signals-core'
import { Component, type ComponentChildren, h as create, Fragment, type FunctionComponent } from 'preact'

type Props = Readonly<Record<string, unknown>>

type Following = InstanceType<ReturnType<typeof followed>>

const drawn = new WeakMap<FunctionComponent<Props>, ReturnType<typeof followed>>()

/** Creates an element as Preact's `h` does; its component redraws when a signal that it has read changes. */
export function h(type: string | FunctionComponent<Props>, ...rest: [Props | null, ...ComponentChildren[]]) {
  if (typeof type === 'string' || (type as unknown) === Fragment) return create(type as string, ...rest)
  const following = drawn.get(type) ?? followed(type)
  drawn.set(type, following)
  return create(following, ...rest)
}

/** The component that is being drawn, and the index of the next value that it keeps. */
let [current, place] = [{} as Following, 0]

/** Returns a value that the current component keeps: made when it is drawn first, and the same each time after. */
function kept<Value>(make: () => Value): Value {
  const { slots } = current
  if (place === slots.length) slots.push(make())
  return slots[place++] as Value
}

/** Creates a signal that belongs to one component, for a value that it keeps between drawings. */
export const useSignal = <Value>(value: Value): Signal<Value> => kept(() => signal(value))

/** Creates a reference to a DOM element of a component. */
export const useElementRef = <Shown extends HTMLElement>() => kept(() => ({ current: null as Shown | null }))

interface Effect {
  readonly keys?: readonly unknown[]
  readonly act: () => unknown
  end?: (() => void) | undefined
}

/**
 * Calls `act` once the component is in the page, and again after each drawing in which a key has changed; without keys,
 * after every drawing. The function that `act` returns cleans up: it is called before the next call of `act`.
 */
export function useEffect(act: Effect['act'], keys?: readonly unknown[]): void {
  const known = kept((): Partial<Effect> => ({}))
  if (keys && known.keys && keys.every((key, at) => key === known.keys?.[at])) return
  current.due.push(Object.assign(known, { act, keys }) as Effect)
}

/** The outcome of a load: a value or a problem; neither while it is under way. */
interface Loaded<Value> {
  readonly value?: Value
  readonly problem?: string
}

/** Loads a value for a component whenever the key changes; a result that arrives for an older key is ignored. */
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

const followed = (component: FunctionComponent<Props>) =>
  class extends Component<Props> {
    slots: unknown[] = []
    /** Effects to run once the component is in the page. */
    due: Effect[] = []
    /** True if a signal that the component has read has changed. */
    old = false
    stop?: () => void

    override shouldComponentUpdate(props: Props) {
      return this.old || !isSame(props, this.props)
    }

    override render() {
      this.stop?.()
      let children: ComponentChildren
      let isDrawing = true
      this.stop = effect(() => {
        if (!isDrawing) {
          this.old = true
          this.setState({})
          return
        }
        ;[current, place] = [this, 0]
        children = component(this.props) as ComponentChildren
      })
      isDrawing = this.old = false
      return children
    }

    override componentDidMount() {
      this.componentDidUpdate()
    }

    override componentDidUpdate() {
      for (const one of this.due.splice(0)) {
        one.end?.()
        one.end = one.act() as Effect['end']
      }
    }

    override componentWillUnmount() {
      this.stop?.()
      for (const slot of this.slots) (slot as Partial<Effect>).end?.()
    }
  }

function isSame(one: Props, other: Props): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
  )
}

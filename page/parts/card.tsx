/** A part of a view, with a heading. */
import type { ComponentChildren } from 'preact'

interface Props {
  readonly title: string
  readonly children: ComponentChildren
  /** Shown at the end of the heading; a text is muted. */
  readonly aside?: ComponentChildren
}

/** The part: a region that screen readers list by its heading. */
export function Card({ title, children, aside }: Props) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {typeof aside === 'string' ? <span class="muted">{aside}</span> : aside}
      </header>
      {children}
    </section>
  )
}

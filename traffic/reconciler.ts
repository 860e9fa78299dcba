/**
 * Facts that the entries of a recording tell only together: which are one request, and how exact their times are. Pure.
 */
import type { RecordedExchange } from './recorded.ts'

/** Entries that are enough to tell whether the recorder keeps whole seconds only. */
const clockSample = 5
/** Uncertainty of a time in whole seconds, ms. */
const wholeSecond = 999
/**
 * Number of last entries that are searched for a second record of the same request, and for a copy; and most characters
 * of bodies in the latter.
 */
const [mostKept, mostCopied, longest] = [200, 1_000, 16_000_000]
/** Time by which one record of a request may begin before, or end after, the other, since two clocks were read, ms. */
const skew = 50

/** True if the marks of an answer say that a service worker or a cache gave it. */
const isPassedOn = ({ marks }: RecordedExchange): boolean =>
  marks !== undefined && (marks.isThroughWorker || marks.isUntransferred)

/** True unless the marks of a request say that it never reached the service. */
const isOfService = ({ marks }: RecordedExchange): boolean =>
  marks === undefined || !(marks.isUnsent || (marks.isUntransferred && !marks.isThroughWorker))

/**
 * Creates a merger that converts the entries of a HAR, in the order of the file, to the requests that were sent: it
 * drops duplicates, since browsers record some requests twice, and merged exports repeat entries.
 */
export function createHarEntryMerger() {
  const clock = createClock()
  const twins = createTwinCounter()
  /** Records of a page for which the record of a service worker may follow. */
  let held: RecordedExchange[] = []
  /** The last ones that were given out, or are about to be. */
  const recent = createRecent()

  function given(one: RecordedExchange): RecordedExchange[] {
    if (!isOfService(one)) return []
    recent.add(one)
    twins.add(one)
    const { marks, ...request } = one
    return clock.add(request, marks?.isWholeSecond === true && one.organization === undefined)
  }

  function takeIn(one: RecordedExchange): RecordedExchange[] {
    // Within one second the same may be sent again and again.
    const mayBeCopy = !(one.marks?.isWholeSecond && clock.isCoarse())
    if (mayBeCopy && (recent.holdsCopyOf(one) || held.some((other) => isCopy(one, other)))) return []
    if (isPassedOn(one) && recent.last(mostKept).some((other) => isSameRequest(one, other))) return []
    const page = held.find((other) => isSameRequest(other, one))
    if (page) {
      held = held.filter((other) => other !== page)
      return given(one.text === undefined ? { ...page, marks: one.marks } : one)
    }
    if (!isPassedOn(one) && one.status !== 0) return given(one)
    held.push(one)
    return held.length > mostKept ? given(held.shift() as RecordedExchange) : []
  }

  return {
    /** Takes the next entry, if there is one; returns the requests that are certain by then. */
    add(one: RecordedExchange | undefined): RecordedExchange[] {
      if (one === undefined) return []
      if (held.length === 0) return takeIn(one)
      const over = held.filter((other) => one.at > other.at + other.duration_ms + skew)
      held = held.filter((other) => !over.includes(other))
      return [...over.flatMap(given), ...takeIn(one)]
    },
    /** Returns the remaining requests. @throws Error for a recording that holds each request twice. */
    end(): RecordedExchange[] {
      if (twins.areAll())
        throw new Error(
          'it holds each request twice, as two recorders do: judge the recording of each by itself',
        )
      const left = held.flatMap(given)
      held = []
      return [...left, ...clock.end()]
    },
  }
}

/** The number of entries among which the second record of a request is searched for. */
const mostApart = 1_000
/** The fewest entries, and the share of them, that make a recording one of two recorders. */
const [fewestTwins, shareOfTwins] = [6, 0.9]
/** Matches an answer with an id, which no two creations have in common. */
const hasId = /"id"\s*:\s*["\d]/

/**
 * Counts requests of which another recorder has written a second entry: it agrees, and its time differs a little, since it
 * was read from another clock. Counting begins with the first creation whose id shows twice, which few recordings have.
 */
function createTwinCounter() {
  const isCreation = ({ operation, status, text = '' }: RecordedExchange) =>
    operation.startsWith('create') && status < 300 && hasId.test(text)
  let single: RecordedExchange[] = []
  let [entries, twins] = [0, 0]
  return {
    add(one: RecordedExchange): void {
      const isCounting = twins > 0
      const twin = isCounting || isCreation(one) ? single.find((other) => isTwin(one, other)) : undefined
      if (isCounting || twin) entries++
      if (twin) {
        twins += isCounting ? 2 : 1
        single = single.filter((other) => other !== twin)
      } else if (single.push(one) > mostApart) single.shift()
    },
    /** True if two recorders wrote nearly all entries. */
    areAll: () => entries >= fewestTwins && twins >= shareOfTwins * entries,
  }
}

/** True if two entries may be one request that two recorders wrote. */
const isTwin = (one: RecordedExchange, other: RecordedExchange): boolean =>
  isAlike(one, other) &&
  one.text === other.text &&
  one.text !== undefined &&
  one.at <= other.at + other.duration_ms + skew &&
  other.at <= one.at + one.duration_ms + skew

/** Keeps the last entries, as many as their bodies allow, and finds copies of them by what identifies an entry. */
function createRecent() {
  const keys = new Map<RecordedExchange, string>()
  const alike = new Map<string, Set<RecordedExchange>>()
  let characters = 0

  function forgetOldest(): void {
    const [[oldest, key] = []] = keys
    if (!oldest || key === undefined) return
    keys.delete(oldest)
    characters -= lengthOf(oldest)
    const others = alike.get(key)
    others?.delete(oldest)
    if (others?.size === 0) alike.delete(key)
  }

  return {
    last: (count: number) => [...keys.keys()].slice(-count),
    holdsCopyOf: (one: RecordedExchange): boolean =>
      alike
        .get(keyOf(one))
        ?.values()
        .some((other) => isCopy(one, other)) === true,
    add(one: RecordedExchange): void {
      const key = keyOf(one)
      keys.set(one, key)
      characters += lengthOf(one)
      const others = alike.get(key) ?? new Set()
      alike.set(key, others.add(one))
      while (keys.size > mostCopied || characters > longest) forgetOldest()
    },
  }
}

/** The key by which copies of an entry are found; an entry without marks of its own is compared with others of its URL. */
const keyOf = ({ url, marks }: RecordedExchange) => marks?.identity ?? url

const lengthOf = ({ text = '', requestBody = '' }: RecordedExchange) => text.length + requestBody.length

/** True if two entries have the same method, URL, status and request body. */
const isAlike = (one: RecordedExchange, other: RecordedExchange): boolean =>
  one.method === other.method &&
  one.url === other.url &&
  one.status === other.status &&
  (one.requestBody ?? '') === (other.requestBody ?? '')

/** True if one entry repeats another, as in two exports that overlap: its times and marks are the same to the last digit. */
const isCopy = (one: RecordedExchange, other: RecordedExchange): boolean =>
  one.at === other.at &&
  one.marks?.identity === other.marks?.identity &&
  isAlike(one, other) &&
  one.text === other.text &&
  JSON.stringify(one.requestHeaders) === JSON.stringify(other.requestHeaders)

/**
 * True if a page and a worker recorded the same request: they agree, the worker's lies within the time of the page's,
 * and the marks allow it.
 */
function isSameRequest(page: RecordedExchange, worker: RecordedExchange): boolean {
  return (
    (isPassedOn(page) || worker.marks?.isByWorker || worker.marks?.isUnsent) === true &&
    isAlike(page, worker) &&
    (page.text === worker.text || worker.text === undefined || page.text === undefined) &&
    worker.at >= page.at - skew &&
    worker.at + worker.duration_ms <= page.at + page.duration_ms + skew
  )
}

/**
 * Creates a clock that knows whether all times are in whole seconds; each request was then sent at some time within its
 * second.
 */
function createClock() {
  let waiting: RecordedExchange[] | undefined = []
  let isCoarse = true
  const timed = (one: RecordedExchange): RecordedExchange =>
    isCoarse ? { ...one, duration_ms: one.duration_ms + wholeSecond, clock_ms: wholeSecond } : one
  function end(): RecordedExchange[] {
    const all = waiting ?? []
    waiting = undefined
    return all.map(timed)
  }
  return {
    /** True as long as all times are in whole seconds. */
    isCoarse: () => isCoarse,
    add(one: RecordedExchange, isWholeSecond: boolean): RecordedExchange[] {
      if (!isWholeSecond) isCoarse = false
      if (waiting === undefined) return [timed(one)]
      waiting.push(one)
      return waiting.length < clockSample && isCoarse ? [] : end()
    },
    end,
  }
}

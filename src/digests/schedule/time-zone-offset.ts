import { IANAZone } from 'luxon'

const MINUTE_MS = 60_000

const HOUR_MS = 60 * MINUTE_MS

/** More than any clock change: a whole day, as in Samoa in 2011. */
const DAY_RANGE_MS = 26 * HOUR_MS

/** Minutes by which the clocks of a zone are ahead of UTC at a moment. */
export type OffsetAt = (moment: number) => number

/** Since time zones exist, clocks have only changed on quarter hours. */
const QUARTER_MS = 15 * MINUTE_MS

/** Cached quarter hours of one zone. */
const MAX_CACHED = 10_000

const offsetCache = new Map<string, Map<number, number>>()

/**
 * The offsets of an IANA zone, cached: asking the runtime takes 13 µs, and a day near a clock change needs a thousand.
 */
export const zoneOffsets = (timeZone: string): OffsetAt => {
  const zone = IANAZone.create(timeZone)
  const known = offsetCache.get(timeZone) ?? new Map<number, number>()
  offsetCache.set(timeZone, known)
  return moment => {
    const quarter = Math.floor(moment / QUARTER_MS)
    const found = known.get(quarter)
    if (found !== undefined) return found
    if (known.size >= MAX_CACHED) known.clear()
    const offset = zone.offset(quarter * QUARTER_MS)
    known.set(quarter, offset)
    return offset
  }
}

/**
 * When the clocks show a wall time: once, twice, or never; then also the first moment after the change that skips it.
 */
type LocalTimeMoments =
  | { readonly kind: 'shown'; readonly moments: readonly number[] }
  | { readonly kind: 'skipped'; readonly after: number }

/** Finds when clocks show a wall time, given as if it were UTC. All times are milliseconds. */
export const momentsOfLocalTime = (wall: number, offsetAt: OffsetAt): LocalTimeMoments => {
  const before = offsetAt(wall - DAY_RANGE_MS)
  const after = offsetAt(wall + DAY_RANGE_MS)
  if (before === after) return { kind: 'shown', moments: [wall - before * MINUTE_MS] }
  const moments = [before, after]
    .map(offset => ({ offset, moment: wall - offset * MINUTE_MS }))
    .filter(({ offset, moment }) => offsetAt(moment) === offset)
    .map(({ moment }) => moment)
    .sort((a, b) => a - b)
  if (moments.length > 0) return { kind: 'shown', moments }
  return { kind: 'skipped', after: firstAfterJump(wall, before, offsetAt) }
}

/** Clocks change on whole minutes, so the search stops there. */
const firstAfterJump = (wall: number, before: number, offsetAt: OffsetAt): number => {
  let low = Math.floor((wall - DAY_RANGE_MS) / MINUTE_MS)
  let high = Math.ceil((wall + DAY_RANGE_MS) / MINUTE_MS)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return high * MINUTE_MS
}

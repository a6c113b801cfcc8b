import type { DigestCondition, FindingChange } from '../core/digest.ts'
import type { DigestFinding } from '../core/digest-run.ts'

/**
 * Whether a run is to be posted, as far as one of its questions goes. The first run has nothing to compare with: it is
 * posted, so that people know where the counting starts. A limit on a number is not met where there is no number.
 */
export const meetsCondition = (
  condition: DigestCondition,
  now: DigestFinding,
  { change, before }: { readonly change: FindingChange; readonly before: DigestFinding | null },
): boolean => {
  switch (condition.kind) {
    case 'always':
      return true
    case 'changed':
      return change.kind !== 'same'
    case 'above':
      return now.value !== null && now.value > condition.value
    case 'below':
      return now.value !== null && now.value < condition.value
    case 'moved':
      return before === null || movedBy(before.value, now.value) >= condition.percent
    default: {
      const never: never = condition
      return never
    }
  }
}

/** In percent, without its sign. From nothing to something is further than any percentage. */
const movedBy = (before: number | null, now: number | null): number => {
  if (before === null || now === null) return before === now ? 0 : Number.POSITIVE_INFINITY
  if (before === now) return 0
  return before === 0 ? Number.POSITIVE_INFINITY : (Math.abs(now - before) / Math.abs(before)) * 100
}

import type { FindingChange } from '../core/digest.ts'
import type { DigestFinding } from '../core/digest-run.ts'

/** What changed from one run to the next. `before` is null where there was none. */
export const compareFindings = (before: DigestFinding | null, now: DigestFinding): FindingChange => {
  if (before === null) return { kind: 'first' }
  if (before.kind === 'number' && now.kind === 'number') {
    if (before.value === now.value) return { kind: 'same' }
    return {
      kind: 'number',
      before: before.value,
      now: now.value,
      percent: before.value === 0 ? null : ((now.value - before.value) / Math.abs(before.value)) * 100,
    }
  }
  const change = compareRows(rowsOf(before), rowsOf(now))
  // What a cap cut off may be what came or went.
  return change.kind === 'rows' && !(isComplete(before) && isComplete(now)) ? { kind: 'differs' } : change
}

const isComplete = (finding: DigestFinding): boolean => finding.kind === 'number' || finding.complete

type FindingRows = readonly { readonly key: string; readonly row: string }[]

/** A number that became a table, or the other way round, is another row. */
const rowsOf = (finding: DigestFinding): FindingRows =>
  finding.kind === 'rows' ? finding.rows : [{ key: 'number', row: String(finding.value) }]

/** Rows may repeat: of equal keys each row has a partner at most. */
const compareRows = (before: FindingRows, now: FindingRows): FindingChange => {
  const left = new Map<string, string[]>()
  for (const { key, row } of before) left.set(key, [...(left.get(key) ?? []), row])
  const unmatched = now.filter(({ key, row }) => !takeRow(left, key, row))
  const changed = unmatched.filter(({ key }) => takeKey(left, key)).length
  const added = unmatched.length - changed
  const removed = [...left.values()].reduce((sum, rows) => sum + rows.length, 0)
  return added + removed + changed === 0 ? { kind: 'same' } : { kind: 'rows', added, removed, changed }
}

const takeRow = (left: ReadonlyMap<string, string[]>, key: string, row: string): boolean => {
  const rows = left.get(key)
  const index = rows?.indexOf(row) ?? -1
  if (!rows || index < 0) return false
  rows.splice(index, 1)
  return true
}

const takeKey = (left: ReadonlyMap<string, string[]>, key: string): boolean =>
  left.get(key)?.pop() !== undefined

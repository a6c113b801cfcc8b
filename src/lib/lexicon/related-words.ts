import { stemWord } from '../stem-word.ts'
import { synonymGroups } from './synonym-groups.ts'

const relatedStems: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const map = new Map<string, Set<string>>()
  for (const group of synonymGroups) {
    const [head, ...rest] = group.map(stemWord)
    if (head === undefined) continue
    for (const other of rest) {
      map.set(head, (map.get(head) ?? new Set()).add(other))
      map.set(other, (map.get(other) ?? new Set()).add(head))
    }
  }
  return map
})()

/** Whether two stems stand together in a line of the lexicon, one of them as its head. Symmetric. */
export const areRelated = (a: string, b: string): boolean => relatedStems.get(a)?.has(b) ?? false

/** The stems that a stem stands together with in a line of the lexicon. */
export const relatedTo = (stem: string): ReadonlySet<string> => relatedStems.get(stem) ?? none

const none: ReadonlySet<string> = new Set()

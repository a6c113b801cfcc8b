import type { LabelledGroups } from '../../core/selector.ts'
import type { Statement } from './read-statements.ts'

/**
 * A statement as training reads it. Null when no measured group is said to be better than another: a result that
 * nobody drafted has no measures, and setting it against those that have would teach that measures are bad.
 */
export const toLabelledGroups = (statement: Statement): LabelledGroups | null => {
  const { questionId, database, groups, weight } = statement
  const named = new Set([...statement.right, ...statement.wrong])
  const among = groups.filter(({ key }) => named.has(key))
  const right = new Set(among.flatMap(({ key }) => (statement.right.includes(key) ? [key] : [])))
  return right.size === 0 || right.size === among.length
    ? null
    : { id: questionId, database, groups: among, right, weight }
}

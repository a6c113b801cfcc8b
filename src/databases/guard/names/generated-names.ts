import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import type { NameEdits } from '../../../sql/rewrite/names/name-edits.ts'

/** Makes new names for one statement, `q1`, `q2` ..., that stand neither in the statement nor among those that are `taken` (in lower case). */
export const makeGeneratedNames = (
  { tokens }: SqlTree,
  takenNames: ReadonlySet<string>,
): { readonly next: () => string } => {
  const taken = new Set([...takenNames, ...tokens.map(({ value }) => value.toLowerCase())])
  let prefix = 'q'
  while ([...taken].some(name => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))))
    prefix += 'q'
  let last = 0
  return {
    next: () => {
      last += 1
      return `${prefix}${last}`
    },
  }
}

/**
 * Makes what puts the names of the statement back into a text of the server, such as a heading or a plan: `sum(q1.total)`
 * becomes `sum(o.total)`. `originals` are new names with what was written for them.
 */
export const restoreNames = (
  edits: NameEdits,
  originals: ReadonlyMap<string, string>,
): ((text: string) => string) => {
  const known = new Map<string, string>()
  for (const [source, { alias }] of edits.tables)
    if (alias !== null && source.kind === 'table') known.set(alias, source.alias ?? source.name)
  for (const [source, alias] of edits.aliases) if (source.alias !== null) known.set(alias, source.alias)
  for (const [{ name }, renamed] of edits.queries) known.set(renamed, name)
  const whole = [...originals].filter(([now]) => now.includes('.')).sort(([a], [b]) => b.length - a.length)
  return text => {
    let restored = text
    if (!/q\d/.test(restored)) return restored
    for (const [now, before] of whole) restored = restored.replaceAll(now, before)
    return restored.replace(/\bq+\d+\b/g, name => known.get(name) ?? name)
  }
}

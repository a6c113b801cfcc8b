import { dropWeakCommentMatches } from './drop-weak-comments.ts'
import type { LinkedSpan } from './item.ts'
import { linkAbsences } from './link-absences.ts'
import { linkColumns } from './link-columns.ts'
import type { LinkContext, TableMention } from './link-context.ts'
import { linkCues } from './link-cues.ts'
import { linkLiterals } from './link-literals.ts'
import { linkFullNames, linkTableComments, linkTables, tableMentions } from './link-tables.ts'
import { linkValues } from './link-values.ts'

/** All that spans of a question may mean, by the token they start at. */
export interface Lattice {
  readonly startingAt: readonly (readonly LinkedSpan[])[]
  readonly mentions: readonly TableMention[]
}

/** Links every span of a question to tables, columns, values, literals and cues. */
export const linkQuestion = (context: LinkContext, text: string): Lattice => {
  const tables = linkTables(context)
  const mentions = tableMentions(tables, context.schema.tables)
  const items = dropWeakCommentMatches([
    ...linkCues(context),
    ...tables,
    ...linkTableComments(context),
    ...linkFullNames(context, mentions),
    ...linkColumns(context, mentions),
    ...linkValues(context, text, mentions),
    ...linkLiterals(context),
    ...linkAbsences(context, mentions),
  ])
  const startingAt: LinkedSpan[][] = context.tokens.map(() => [])
  for (const item of items) startingAt[item.start]?.push(item)
  return { startingAt, mentions }
}

import { parse } from 'yaml'
import { type SeesValue, seesEveryValue } from '../../domain/access/sees-value.ts'
import type { LayerDecision } from '../../domain/metrics/layer-decision.ts'
import type { Dialect } from '../../domain/sql.ts'
import { hideValues } from '../../sql/rewrite/hide-values.ts'

/**
 * The decisions that a reader may know of. What was proposed to an admin came from the admin's rows: a metric or segment
 * whose condition names a value that the reader does not see is none of theirs.
 */
export const readableDecisions = (
  decisions: readonly LayerDecision[],
  { dialect, sees }: { readonly dialect: Dialect; readonly sees: SeesValue },
): readonly LayerDecision[] =>
  sees === seesEveryValue
    ? decisions
    : decisions.filter(
        ({ status, definition }) =>
          status === 'rejected' ||
          textsIn(parse(definition)).every(sql => hideValues({ sql, dialect, words: '' }, sees).isOpen),
      )

/** All texts of a definition; its labels have no literals. */
const textsIn = (part: unknown): readonly string[] => {
  if (typeof part === 'string') return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : []
}

import type { ModelJoin } from '../../domain/metrics/semantic-layer.ts'
import { identifier } from './import-names.ts'
import { UntranslatableError, untranslatable } from './imported-layer.ts'
import type { LayerDraft } from './layer-draft.ts'
import { namesIn, type SqlPart } from './sql-parts.ts'

/**
 * The pairs of columns in a condition such as `user_id = users.id AND ...`. Names without a qualifier are of the own
 * model. Throws `UntranslatableError` at anything else.
 */
export const joinColumns = (
  parts: readonly SqlPart[],
  other: string,
): readonly { readonly own: string; readonly other: string }[] => {
  const names = namesIn(parts)
  const skeleton = parts
    .map(part => (typeof part === 'string' ? part : 'name'))
    .join('')
    .replace(/[()\s]+/g, ' ')
    .trim()
  if (!/^name ?= ?name( and name ?= ?name)*$/i.test(skeleton))
    untranslatable(
      'Its condition is more than columns that are equal. Put the condition into a view, or join by a key.',
    )
  const pairs: { own: string; other: string }[] = []
  for (let at = 0; at < names.length; at += 2) {
    const [left, right] = [names[at], names[at + 1]]
    if (left?.qualifier === null && right?.qualifier === other)
      pairs.push({ own: left.name, other: right.name })
    else if (right?.qualifier === null && left?.qualifier === other)
      pairs.push({ own: right.name, other: left.name })
    else untranslatable(`Its condition compares something else than its two tables.`)
  }
  return pairs
}

/** A join in the direction of its key: from the model with many rows to the one with one. */
export interface DirectedJoin {
  readonly from: string
  readonly join: ModelJoin
}

/** The joins between the models of a project while they are read. Models have the names that they have in the files. */
export interface JoinGraph {
  readonly joinsOf: (model: string) => readonly ModelJoin[]
  /** Reads one join, and remembers what comes of it until `report`. */
  readonly read: (shown: string, run: () => DirectedJoin) => void
  /** Throws `UntranslatableError` if the rows of a model do not have one row each of what a name stands for. */
  readonly checkReach: (from: string, to: string) => void
  /** Notes every join as translated or skipped; the models are known by then. */
  readonly report: (draft: LayerDraft) => void
}

/** `isUsable` says of the name of a model in the layer whether it will not be skipped. */
export const makeJoinGraph = (isUsable: (model: string) => boolean): JoinGraph => {
  const joins = new Map<string, ModelJoin[]>()
  const outcomes: { shown: string; found: DirectedJoin | UntranslatableError }[] = []
  const joinsOf = (model: string): readonly ModelJoin[] => joins.get(identifier(model)) ?? []
  const leadsTo = (from: string, to: string, seen: readonly string[]): boolean =>
    from === to ||
    (joins.get(from) ?? []).some(
      join => !seen.includes(join.to) && isUsable(join.to) && leadsTo(join.to, to, [...seen, from]),
    )
  return {
    joinsOf,
    read: (shown, run) => {
      try {
        const found = run()
        outcomes.push({ shown, found })
        const from = identifier(found.from)
        const own = joins.get(from) ?? []
        const isKnown = own.some(
          one =>
            one.to === found.join.to &&
            one.name === found.join.name &&
            JSON.stringify(one.columns) === JSON.stringify(found.join.columns),
        )
        if (!isKnown) joins.set(from, [...own, found.join])
      } catch (error) {
        if (!(error instanceof UntranslatableError)) throw error
        outcomes.push({ shown, found: error })
      }
    },
    checkReach: (from, to) => {
      const [own, other] = [identifier(from), identifier(to)]
      if (joinsOf(from).some(join => join.name === other) || leadsTo(own, other, [])) return
      untranslatable(
        `It uses ${to}, of which ${from} does not have one row each. Define it there, or add the join.`,
      )
    },
    report: draft => {
      for (const { shown, found } of outcomes)
        draft.item('join', shown, () => {
          if (found instanceof UntranslatableError) throw found
          for (const side of [identifier(found.from), found.join.to])
            if (!draft.models.has(side)) untranslatable(`Its model ${side} was skipped.`)
          return null
        })
    },
  }
}

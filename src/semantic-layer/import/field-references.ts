import { identifier } from './import-names.ts'
import { untranslatable } from './imported-layer.ts'
import {
  checkRowLevel,
  checkTemplates,
  importTokens,
  inBrackets,
  qualified,
  type SqlPart,
  sqlParts,
  unquoted,
} from './sql-parts.ts'

/** A format in which SQL refers to fields in braces: `${orders.id}`, `{CUBE}.id`. */
export interface ReferenceFormat {
  /** Words for the model itself: `TABLE`, `CUBE`. */
  readonly isOwnModel: (reference: string) => boolean
  readonly hasModel: (name: string) => boolean
  /** The SQL of a field, over its own model; null if the model does not have it. */
  readonly sqlOf: (model: string, field: string) => string | null
  /** What a reference that is no field stands for; null if nothing. */
  readonly other?: (model: string, reference: string) => readonly SqlPart[] | null
  /** Throws `UntranslatableError` if a model cannot use another. */
  readonly checkModel?: (from: string, to: string) => void
  /** What models are called in the layer, seen from a model: its name, or the name of a join. */
  readonly qualifier?: (model: string) => string
}

/** Reads SQL with references. */
export interface FieldReferences {
  /** SQL over the rows of a model. */
  readonly rows: (model: string, sql: string) => readonly SqlPart[]
  readonly field: (model: string, field: string) => readonly SqlPart[]
}

export const makeFieldReferences = (format: ReferenceFormat): FieldReferences => {
  const qualifier = format.qualifier ?? identifier

  const expand = (model: string, sql: string, within: readonly string[]): readonly SqlPart[] => {
    checkTemplates(sql)
    const parts: SqlPart[] = []
    let end = 0
    const tokens = importTokens(sql)
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!
      if (token.kind !== 'reference') continue
      parts.push(...plain(model, sql.slice(end, token.start)))
      const reference = token.text.replace(/^\$?\{\s*|\s*\}$/g, '')
      const [dot, column] = [tokens[at + 1], tokens[at + 2]]
      const target = format.isOwnModel(reference) ? model : reference
      const isColumn = dot?.text === '.' && column !== undefined && /^(word|quoted)$/.test(column.kind)
      if (isColumn && (target === model || format.hasModel(target))) {
        if (target !== model) format.checkModel?.(model, target)
        parts.push({
          qualifier: target === model ? null : qualifier(target),
          name: unquoted(column.text),
          written: column.text,
        })
        end = column.end
        at += 2
      } else {
        const found = resolved(model, reference, within)
        const isAlone = tokens.length === 1
        parts.push(...(isAlone ? found : inBrackets(found)))
        end = token.end
      }
    }
    return [...parts, ...plain(model, sql.slice(end))]
  }

  /** SQL without references, which can still name other models. */
  const plain = (model: string, sql: string): readonly SqlPart[] =>
    sqlParts(sql).map(part => {
      if (typeof part === 'string' || part.qualifier === null || !format.hasModel(part.qualifier)) return part
      if (part.qualifier === model) return { ...part, qualifier: null }
      format.checkModel?.(model, part.qualifier)
      return { ...part, qualifier: qualifier(part.qualifier) }
    })

  const resolved = (model: string, reference: string, within: readonly string[]): readonly SqlPart[] => {
    if (format.isOwnModel(reference))
      return untranslatable(`It uses the table itself (${reference}) as a value. Name a column.`)
    const path = reference.split('.')
    const field = path.at(-1) ?? reference
    const named = path.length > 1 ? (path.at(-2) ?? model) : model
    const target = format.isOwnModel(named) ? model : named
    const key = `${target}.${field}`
    if (within.includes(key)) return untranslatable(`It refers to itself through ${key}.`)
    if (target !== model) format.checkModel?.(model, target)
    const sql = format.sqlOf(target, field)
    const parts = sql === null ? null : expand(target, sql, [...within, key])
    const own = parts ?? format.other?.(target, field) ?? null
    if (own === null)
      return untranslatable(
        `It uses ${reference}, which ${target === model ? 'the model' : target} does not have.`,
      )
    return target === model ? own : qualified(own, qualifier(target))
  }

  return {
    rows: (model, sql) => checkRowLevel(expand(model, sql, [])),
    field: (model, field) => checkRowLevel(resolved(model, field, [])),
  }
}

/** The path of a reference as it is written: `${orders.total}` is `orders.total`. */
export const referencePath = (text: string): string =>
  text.replace(/^\$?\{\s*|\s*\}$/g, '').replaceAll('"', '')

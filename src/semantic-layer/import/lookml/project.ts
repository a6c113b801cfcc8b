import { type SourceFile, UntranslatableError } from '../imported-layer.ts'
import type { Problems } from '../source-files.ts'

/** The views and explores of a project, with what they inherit and what refines them. */
export interface LookmlProject {
  readonly views: ReadonlyMap<string, LookmlBlock>
  readonly explores: readonly LookmlBlock[]
  /** Views that others extend and that are not used themselves. */
  readonly templates: ReadonlySet<string>
}

export const readLookmlProject = (files: readonly SourceFile[], problems: Problems): LookmlProject => {
  const blocks = files.flatMap(file => {
    try {
      return [parseLookml(file.text)]
    } catch (error) {
      if (!(error instanceof LookmlSyntaxError)) throw error
      problems.add(file.name, error.message)
      return []
    }
  })
  const constants = new Map(
    blocks
      .flatMap(block => blocksOf(block, 'constant'))
      .map(constant => [constant.name, textOf(constant, 'value') ?? ''] as const),
  )
  const complete = (key: string): ReadonlyMap<string, LookmlBlock> =>
    extended(refined(blocks.flatMap(block => blocksOf(block, key))), constants)
  const views = complete('view')
  const templates = new Set(
    [...views.values()].filter(view => textOf(view, 'extension') === 'required').map(({ name }) => name),
  )
  const explores = [...complete('explore').values()].filter(
    explore => textOf(explore, 'extension') !== 'required',
  )
  return { views, explores, templates }
}

/** Blocks by name, each with its refinements (`view: +orders`). */
const refined = (blocks: readonly LookmlBlock[]): ReadonlyMap<string, LookmlBlock> => {
  const found = new Map<string, LookmlBlock>()
  for (const block of blocks.filter(({ name }) => !name.startsWith('+')))
    if (!found.has(block.name)) found.set(block.name, block)
  for (const block of blocks.filter(({ name }) => name.startsWith('+'))) {
    const name = block.name.slice(1)
    const base = found.get(name)
    // What is refined can be in a project that was not passed.
    found.set(name, base ? mergeBlocks(base, block) : { ...block, name })
  }
  return found
}

const extended = (
  blocks: ReadonlyMap<string, LookmlBlock>,
  constants: ReadonlyMap<string, string>,
): ReadonlyMap<string, LookmlBlock> => {
  const complete = (block: LookmlBlock, within: readonly string[]): LookmlBlock => {
    const bases = [...listOf(block, 'extends'), ...listOf(block, 'extends__all')]
      .filter(name => !within.includes(name))
      .flatMap(name => blocks.get(name) ?? [])
    const inherited = bases.reduce<LookmlBlock>(
      (merged, base) => mergeBlocks(merged, withoutExtension(complete(base, [...within, block.name]))),
      { name: block.name, body: [] },
    )
    return mergeBlocks(inherited, block)
  }
  return new Map(
    [...blocks].map(([name, block]) => [name, withConstants(complete(block, [name]), constants)] as const),
  )
}

/** That a base is only there to be extended does not hold for what extends it. */
const withoutExtension = (block: LookmlBlock): LookmlBlock => ({
  ...block,
  body: block.body.filter(({ key }) => key !== 'extension'),
})

/** `@{name}` is replaced by the constant of that name. */
const withConstants = (block: LookmlBlock, constants: ReadonlyMap<string, string>): LookmlBlock => ({
  ...block,
  body: block.body.map(({ key, value }) => ({
    key,
    value:
      typeof value === 'string'
        ? value.replace(/@\{(\w+)\}/g, (whole, name: string) => constants.get(name) ?? whole)
        : 'body' in value
          ? withConstants(value, constants)
          : value,
  })),
})

/** A block of LookML: `view: orders { ... }`. */
export interface LookmlBlock {
  /** Empty for blocks without a name, and for a whole file. */
  readonly name: string
  readonly body: readonly LookmlEntry[]
}

export type LookmlValue = string | LookmlBlock | readonly LookmlValue[]

export interface LookmlEntry {
  readonly key: string
  readonly value: LookmlValue
}

/** Text that is not LookML; the message says where. */
export class LookmlSyntaxError extends UntranslatableError {}

/** Keys whose value is text up to `;;`. */
const isCode = (key: string): boolean =>
  /^(sql(_\w+)?|html|expression(_\w+)?)$/.test(key) && key !== 'sql_quote_char'

/** Reads the text of one file. Throws `LookmlSyntaxError` at the first thing that is wrong. */
export const parseLookml = (text: string): LookmlBlock => {
  let at = 0
  const fail = (what: string): never => {
    const lines = text.slice(0, at).split('\n')
    throw new LookmlSyntaxError(`line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${what}`)
  }
  const skipSpace = (): void => {
    const space = /(?:\s+|#[^\n]*)*/y
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
  }
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return null
    at = pattern.lastIndex
    return found[0]
  }

  const entries = (closing: '}' | null): readonly LookmlEntry[] => {
    const list: LookmlEntry[] = []
    for (;;) {
      skipSpace()
      if (at >= text.length) return closing === null ? list : fail(`a block is not closed; "}" is missing`)
      if (text[at] === closing) {
        at++
        return list
      }
      const key = take(/[A-Za-z_][\w-]*/y) ?? fail(`a name is expected, not "${text[at]}"`)
      skipSpace()
      if (text[at] !== ':') fail(`":" is expected after ${key}`)
      at++
      skipSpace()
      list.push({ key, value: isCode(key) ? code(key) : value() })
      skipSpace()
      if (text[at] === ',' || text[at] === ';') at += text.startsWith(';;', at) ? 2 : 1
    }
  }

  const code = (key: string): string => {
    const end = text.indexOf(';;', at)
    if (end === -1) return fail(`${key} does not end with ";;"`)
    const found = text.slice(at, end).trim()
    at = end + 2
    return found
  }

  const quoted = (): string => {
    const found = take(/"(?:[^"\\]|\\[\s\S])*"/y) ?? fail('a quoted text is not closed')
    return found.slice(1, -1).replace(/\\(["\\])/g, '$1')
  }

  const value = (): LookmlValue => {
    const sign = text[at]
    if (sign === '"') return quoted()
    if (sign === '[') return list()
    if (sign === '{') {
      at++
      return { name: '', body: entries('}') }
    }
    const word = take(/[^\s{}[\],:"#]+/y) ?? fail('a value is expected')
    const end = at
    skipSpace()
    if (text[at] === '{') {
      at++
      return { name: word, body: entries('}') }
    }
    at = end
    return word
  }

  const list = (): readonly LookmlValue[] => {
    at++
    const found: LookmlValue[] = []
    for (;;) {
      skipSpace()
      if (at >= text.length) return fail('a list is not closed; "]" is missing')
      if (text[at] === ']') {
        at++
        return found
      }
      if (text[at] === ',') {
        at++
        continue
      }
      const item = value()
      skipSpace()
      // `filters: [status: "complete"]` has pairs.
      if (text[at] === ':' && typeof item === 'string') {
        at++
        skipSpace()
        found.push({ name: '', body: [{ key: item, value: value() }] })
      } else found.push(item)
    }
  }
  return { name: '', body: entries(null) }
}

/** The blocks of a kind in a block. */
export const blocksOf = ({ body }: LookmlBlock, key: string): readonly LookmlBlock[] =>
  body.flatMap(entry =>
    entry.key === key && typeof entry.value === 'object' && 'body' in entry.value ? [entry.value] : [],
  )

/** The value of a key that is a text; the last one counts. */
export const textOf = ({ body }: LookmlBlock, key: string): string | null => {
  const found = body.findLast(entry => entry.key === key)?.value
  return typeof found === 'string' ? found : null
}

/** The texts of a key that is a list. */
export const listOf = ({ body }: LookmlBlock, key: string): readonly string[] => {
  const found = body.findLast(entry => entry.key === key)?.value
  if (typeof found === 'string') return [found]
  return Array.isArray(found) ? found.filter(item => typeof item === 'string') : []
}

/** Pairs of a key: `[a: "x", b: "y"]`, a block `{ field: a value: "x" }`, and blocks of those. */
export const pairsOf = ({ body }: LookmlBlock, key: string): readonly { name: string; value: string }[] =>
  body
    .filter(entry => entry.key === key)
    .flatMap(({ value }) => {
      const blocks = typeof value === 'string' ? [] : 'body' in value ? [value] : value
      return blocks.flatMap(block => {
        if (typeof block === 'string' || !('body' in block)) return []
        const field = textOf(block, 'field')
        if (field !== null) return [{ name: field, value: textOf(block, 'value') ?? '' }]
        return block.body.flatMap(entry =>
          typeof entry.value === 'string' ? [{ name: entry.key, value: entry.value }] : [],
        )
      })
    })

/** A block with the entries of others before it; blocks of the same kind and name become one. */
export const mergeBlocks = (base: LookmlBlock, own: LookmlBlock): LookmlBlock => {
  const merged: LookmlEntry[] = [...base.body]
  for (const entry of own.body) {
    const { value } = entry
    const same = merged.findIndex(
      ({ key, value: other }) =>
        key === entry.key &&
        (isNamed(value) && isNamed(other)
          ? value.name === other.name
          : !isNamed(value) && !isNamed(other) && key !== 'filters'),
    )
    const known = merged[same]?.value
    if (same === -1) merged.push(entry)
    else if (isNamed(value) && known !== undefined && isNamed(known))
      merged[same] = { key: entry.key, value: mergeBlocks(known, value) }
    else merged[same] = entry
  }
  return { name: own.name.replace(/^\+/, ''), body: merged }
}

const isNamed = (value: LookmlValue): value is LookmlBlock =>
  typeof value === 'object' && 'body' in value && value.name !== ''

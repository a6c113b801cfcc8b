import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import type { KnowledgeLocation, KnowledgeProblem } from '../../domain/knowledge.ts'
import { didYouMean } from './nearest-name.ts'

/** A mapping of a YAML file, read key by key. What is not as expected is a problem with its line, and null. */
export interface YamlMap {
  readonly at: KnowledgeLocation
  readonly has: (key: string) => boolean
  readonly atKey: (key: string) => KnowledgeLocation
  readonly text: (key: string) => string | null
  /** A text, or a list of texts. */
  readonly texts: (key: string) => readonly string[] | null
  readonly number: (key: string) => number | null
  readonly flag: (key: string) => boolean | null
  readonly oneOf: <const Option extends string>(key: string, options: readonly Option[]) => Option | null
  /** Texts, numbers and booleans. */
  readonly values: (key: string) => readonly (string | number | boolean)[] | null
  readonly map: (key: string, keys: readonly string[], what: string) => YamlMap | null
  /** A mapping whose keys are names of its own, with texts. */
  readonly pairs: (key: string) => readonly (readonly [string, string])[] | null
  /** A list of mappings; a single one counts as a list. */
  readonly maps: (key: string, keys: readonly string[], what: string) => readonly YamlMap[]
  readonly isMap: (key: string) => boolean
  /** Whether anything in it, apart from what other mappings in it say, was not as expected. */
  readonly isBroken: () => boolean
  readonly report: (message: string, at?: KnowledgeLocation) => void
}

/** A YAML file as a mapping with only the given keys; null if it is empty or no mapping. */
export const readYamlMap = (
  text: string,
  {
    file,
    keys,
    problems,
  }: { readonly file: string; readonly keys: readonly string[]; readonly problems: KnowledgeProblem[] },
): YamlMap | null => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const at = (
    node: { readonly range?: readonly [number, number, number] | null } | null,
  ): KnowledgeLocation => ({
    file,
    line: node?.range ? lines.linePos(node.range[0]).line : 1,
  })
  for (const { pos, message } of document.errors)
    problems.push({
      at: { file, line: lines.linePos(pos[0]).line },
      message: `this is not valid YAML: ${firstLine(message)}`,
    })
  if (document.errors.length > 0 || document.contents === null) return null

  const resolved = (node: unknown): Node | null => {
    const target = isAlias(node) ? node.resolve(document) : node
    return (target as Node | undefined) ?? null
  }

  const openMap = (map: YAMLMap, allowed: readonly string[], what: string): YamlMap => {
    let isBroken = false
    const report = (message: string, where: KnowledgeLocation): void => {
      isBroken = true
      problems.push({ at: where, message })
    }
    const entries = new Map<string, { readonly value: Node | null; readonly at: KnowledgeLocation }>()
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : ''
      const where = at(key as Node)
      if (!allowed.includes(name))
        report(
          `${what} has no key ${name}${didYouMean(name, allowed) || `; its keys are ${allowed.join(', ')}`}`,
          where,
        )
      const node = resolved(value)
      const isEmpty = node === null || (isScalar(node) && node.value === null)
      entries.set(name, { value: isEmpty ? null : node, at: where })
    }
    const nodeAt = (key: string): Node | null => entries.get(key)?.value ?? null
    const atKey = (key: string): KnowledgeLocation => entries.get(key)?.at ?? at(map)
    const fail = (key: string, expected: string): null => {
      report(`${key} must be ${expected}`, atKey(key))
      return null
    }
    const text = (key: string): string | null => {
      const node = nodeAt(key)
      if (node === null) return null
      const value = textOf(node)
      return value ?? fail(key, 'a text')
    }
    const list = (key: string): readonly (Node | null)[] | null => {
      const node = nodeAt(key)
      if (node === null) return null
      return isSeq(node) ? node.items.map(resolved) : [node]
    }
    return {
      at: at(map),
      has: key => nodeAt(key) !== null,
      atKey,
      text,
      texts: key => {
        const found = list(key)?.map(textOf)
        if (found === undefined) return null
        return found.every(one => one !== null) ? found : fail(key, 'a text or a list of texts')
      },
      number: key => {
        const node = nodeAt(key)
        if (node === null) return null
        return isScalar(node) && typeof node.value === 'number' ? node.value : fail(key, 'a number')
      },
      flag: key => {
        const node = nodeAt(key)
        if (node === null) return null
        return isScalar(node) && typeof node.value === 'boolean' ? node.value : fail(key, 'true or false')
      },
      oneOf: (key, options) => {
        const given = text(key)
        if (given === null) return null
        const found = options.find(option => option === given.toLowerCase())
        if (found !== undefined) return found
        return fail(key, `one of ${options.join(', ')}, not ${given}${didYouMean(given, options)}`)
      },
      values: key => {
        const found = list(key)?.map(node => (isScalar(node) ? node.value : null))
        if (found === undefined) return null
        const isPlain = (value: unknown): value is string | number | boolean =>
          ['string', 'number', 'boolean'].includes(typeof value)
        return found.every(isPlain) ? found : fail(key, 'a list of values')
      },
      map: (key, keys, inner) => {
        const node = nodeAt(key)
        if (node === null) return null
        return isMap(node) ? openMap(node, keys, inner) : fail(key, `a mapping with ${keys.join(', ')}`)
      },
      pairs: key => {
        const node = nodeAt(key)
        if (node === null) return null
        if (!isMap(node)) return fail(key, 'a mapping, such as { customer_id: id }')
        const found = node.items.map(
          item => [textOf(resolved(item.key)), textOf(resolved(item.value))] as const,
        )
        return found.every((pair): pair is readonly [string, string] => pair[0] !== null && pair[1] !== null)
          ? found
          : fail(key, 'a mapping of texts, such as { customer_id: id }')
      },
      maps: (key, keys, inner) =>
        (list(key) ?? []).flatMap(node => {
          if (isMap(node)) return [openMap(node, keys, inner)]
          report(
            `write ${inner} as a mapping with ${keys.slice(0, 4).join(', ')} ...`,
            node ? at(node) : atKey(key),
          )
          return []
        }),
      isMap: key => isMap(nodeAt(key)),
      isBroken: () => isBroken,
      report: (message, where = at(map)) => report(message, where),
    }
  }
  if (!isMap(document.contents)) {
    problems.push({ at: at(document.contents), message: `begin with a key: ${keys.join(', ')}` })
    return null
  }
  return openMap(document.contents, keys, 'a file of the semantic layer')
}

const textOf = (node: Node | null): string | null => {
  if (!isScalar(node) || !['string', 'number', 'boolean'].includes(typeof node.value)) return null
  const text = typeof node.value === 'string' ? node.value.trim() : String(node.source ?? node.value)
  return text === '' ? null : text
}

const firstLine = (text: string): string =>
  text.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? text

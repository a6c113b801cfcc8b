import { parse } from 'yaml'
import { z } from 'zod'
import type {
  BusinessRule,
  Description,
  GlossaryTerm,
  Knowledge,
  KnowledgeLocation,
  KnowledgeProblem,
  PreferredJoin,
} from '../../domain/knowledge.ts'

/** One file of knowledge. `databases` is null if it is about every database. */
export interface KnowledgeFile {
  readonly databases: readonly string[] | null
  readonly knowledge: Knowledge
  readonly problems: readonly KnowledgeProblem[]
}

const frontMatter = z.strictObject({
  database: z.union([z.string(), z.array(z.string()).min(1)]).exactOptional(),
})

const sections = ['Terms', 'Rules', 'Tables', 'Joins'] as const

/** What is being collected while the pieces of a file are read in their order. */
interface Collected {
  readonly terms: GlossaryTerm[]
  readonly rules: BusinessRule[]
  readonly descriptions: Description[]
  readonly joins: PreferredJoin[]
  readonly problems: KnowledgeProblem[]
}

/**
 * Reads a knowledge file (docs/knowledge.md tells its form). Whatever cannot be read is a problem with its line, and
 * the rest is read all the same.
 */
export const parseKnowledge = (
  text: string,
  { file, source }: { readonly file: string; readonly source: Description['source'] },
): KnowledgeFile => {
  const into: Collected = { terms: [], rules: [], descriptions: [], joins: [], problems: [] }
  const { body, firstLine, databases } = readFrontMatter(text, file, into.problems)
  const groups = groupLines(splitKnowledgeBlocks(body, firstLine), file, into.problems)
  for (const { section, entries, loose } of groups) {
    const at = (line: number): KnowledgeLocation => ({ file, line })
    switch (section) {
      case 'Terms':
        for (const entry of entries) into.terms.push(readTerm(entry, at, into.problems))
        reportProblem(loose, file, into.problems, 'begin each term with a heading: ### the term')
        break
      case 'Rules':
        for (const { kind, text, line } of loose)
          if (kind === 'bullet') into.rules.push({ text, at: at(line) })
        for (const { title } of entries)
          into.problems.push({
            at: at(title.line),
            message: 'write each rule as a bullet, such as: - orders exclude tests',
          })
        break
      case 'Tables':
        for (const entry of entries)
          into.descriptions.push(...readTable(entry, { at, source }, into.problems))
        reportProblem(loose, file, into.problems, 'begin each table with a heading: ### the table')
        break
      case 'Joins':
        for (const { kind, text, line } of loose) if (kind === 'bullet') addJoin(text, at(line), into)
        break
      default: {
        const never: never = section
        return never
      }
    }
  }
  const { problems, ...knowledge } = into
  return { databases, knowledge, problems }
}

const readFrontMatter = (text: string, file: string, problems: KnowledgeProblem[]) => {
  const [all = '', head] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text) ?? []
  const body = text.slice(all.length)
  const firstLine = all.split('\n').length
  if (head === undefined) return { body, firstLine, databases: null }
  const read = frontMatter.safeParse(parseYaml(head))
  if (!read.success) {
    const message = 'between the lines --- only this may stand: database: its name (or a list of names)'
    problems.push({ at: { file, line: 2 }, message })
    // Nobody knows what it is about; it had better be about nothing.
    return { body: '', firstLine, databases: [] }
  }
  const { database } = read.data
  return {
    body,
    firstLine,
    databases: database === undefined ? null : Array.isArray(database) ? database : [database],
  }
}

const parseYaml = (text: string): unknown => {
  try {
    return parse(text) ?? {}
  } catch {
    return null
  }
}

/** A heading of the third kind with what stands below it. */
interface Entry {
  readonly title: KnowledgeBlock
  readonly lines: KnowledgeBlock[]
}

interface Group {
  readonly section: (typeof sections)[number]
  readonly entries: Entry[]
  readonly loose: KnowledgeBlock[]
}

const groupLines = (
  lines: readonly KnowledgeBlock[],
  file: string,
  problems: KnowledgeProblem[],
): readonly Group[] => {
  const groups: Group[] = []
  let group: Group | null = null
  let inSection = false
  for (const line of lines) {
    if (line.kind === 'section') {
      inSection = true
      const section = sections.find(one => one.toLowerCase() === line.text.toLowerCase())
      if (section === undefined) {
        const message = `there is no section “${line.text}”; sections are ${sections.join(', ')}`
        problems.push({ at: { file, line: line.line }, message })
      }
      group = section === undefined ? null : { section, entries: [], loose: [] }
      if (group) groups.push(group)
    } else if (line.kind === 'entry') group?.entries.push({ title: line, lines: [] })
    else if (group) (group.entries.at(-1)?.lines ?? group.loose).push(line)
    else if (line.kind === 'bullet' && !inSection) {
      const message = `put it below a section: ${sections.map(one => `## ${one}`).join(', ')}`
      problems.push({ at: { file, line: line.line }, message })
    }
  }
  return groups
}

const reportProblem = (
  loose: readonly KnowledgeBlock[],
  file: string,
  problems: KnowledgeProblem[],
  message: string,
): void => {
  for (const { kind, line } of loose) if (kind === 'bullet') problems.push({ at: { file, line }, message })
}

type SourceLine = (line: number) => KnowledgeLocation

const readTerm = ({ title, lines }: Entry, at: SourceLine, problems: KnowledgeProblem[]): GlossaryTerm => {
  let sql: string | null = null
  const synonyms: string[] = []
  const columns: string[] = []
  for (const { text, line } of lines.filter(({ kind }) => kind === 'bullet')) {
    const [, key = '', value = ''] = /^(\w+)\s*:\s*(.*)$/.exec(text) ?? []
    if (key === 'sql' && value !== '') sql = unquote(value)
    else if (key === 'also') synonyms.push(...listOf(value))
    else if (key === 'columns') columns.push(...listOf(value))
    else {
      const message = `a term has bullets “sql: ...”, “also: ...” and “columns: ...”; what it means stands above them`
      problems.push({ at: at(line), message })
    }
  }
  return { name: title.text, synonyms, meaning: proseOf(lines), sql, columns, at: at(title.line) }
}

const readTable = (
  { title, lines }: Entry,
  { at, source }: { readonly at: SourceLine; readonly source: Description['source'] },
  problems: KnowledgeProblem[],
): readonly Description[] => {
  const table = unquote(title.text)
  const synonyms: string[] = []
  const columns: Description[] = []
  for (const { text, line } of lines.filter(({ kind }) => kind === 'bullet')) {
    const also = /^also\s*:\s*(.*)$/.exec(text)?.[1]
    const found = /^(`[^`]+`|[^\s:(]+)\s*(?:\(([^)]*)\))?\s*(?::\s*(.*))?$/.exec(text)
    const [, name = '', others = '', words = ''] = found ?? []
    if (also !== undefined) synonyms.push(...listOf(also))
    else if (!found || (words === '' && others === ''))
      problems.push({
        at: at(line),
        message:
          'write a column as “- `column`: what it means”, or “- `column` (another word): what it means”',
      })
    else {
      const column = { table, column: unquote(name), text: words, synonyms: listOf(others), source }
      columns.push({ ...column, at: at(line) })
    }
  }
  const own = { table, column: null, text: proseOf(lines), synonyms, source, at: at(title.line) }
  return [...(own.text === '' && synonyms.length === 0 ? [] : [own]), ...columns]
}

const addJoin = (text: string, at: KnowledgeLocation, { joins, problems }: Collected): void => {
  const pairs = text
    .replaceAll('`', '')
    .replace(/:\s.*$/, '')
    .split(/\s+and\s+/i)
    .map(pair => /^([\w.]+)\.(\w+)\s*=\s*([\w.]+)\.(\w+)$/.exec(pair.trim()))
  const [first] = pairs
  const isWhole = pairs.every(pair => pair && pair[1] === first?.[1] && pair[3] === first?.[3])
  if (!first || !isWhole) {
    const message =
      'write a join as “- orders.store_id = stores.id”, more pairs of the same tables behind “and”'
    problems.push({ at, message })
    return
  }
  joins.push({
    from: { table: first[1] ?? '', columns: pairs.map(pair => pair?.[2] ?? '') },
    to: { table: first[3] ?? '', columns: pairs.map(pair => pair?.[4] ?? '') },
    at,
  })
}

const proseOf = (lines: readonly KnowledgeBlock[]): string =>
  lines
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join(' ')

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map(one => unquote(one.trim()))
    .filter(one => one !== '')

const unquote = (text: string): string => text.replace(/^`(.*)`$/, '$1').trim()

/** A piece of a knowledge file: a heading, a bullet with the lines that go on it, or a paragraph. */
interface KnowledgeBlock {
  readonly kind: 'section' | 'entry' | 'bullet' | 'text'
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/**
 * Cuts the body of a knowledge file into its pieces. `first` is the number of its first line. A title (`# ...`) and
 * comments (`<!-- ... -->`) are for readers alone; what is indented goes on with the bullet above it.
 */
const splitKnowledgeBlocks = (body: string, first: number): readonly KnowledgeBlock[] => {
  const pieces: KnowledgeBlock[] = []
  const visible = body.replace(/<!--[\s\S]*?-->/g, comment => comment.replace(/[^\n]/g, ''))
  let goesOn = false
  for (const [index, raw] of visible.split(/\r?\n/).entries()) {
    const line = first + index
    const text = raw.trim()
    const [, marks = '', heading = ''] = /^(#+)\s+(.*)$/.exec(text) ?? []
    const bullet = /^[-*]\s+(.*)$/.exec(raw)?.[1]
    const last = pieces.at(-1)
    if (text === '') goesOn = false
    else if (marks === '#') goesOn = false
    else if (marks !== '') {
      pieces.push({ kind: marks === '##' ? 'section' : 'entry', text: heading.trim(), line })
      goesOn = false
    } else if (bullet !== undefined) {
      pieces.push({ kind: 'bullet', text: bullet.trim(), line })
      goesOn = true
    } else if (goesOn && last) pieces[pieces.length - 1] = { ...last, text: `${last.text} ${text}` }
    else {
      pieces.push({ kind: 'text', text, line })
      goesOn = true
    }
  }
  return pieces
}

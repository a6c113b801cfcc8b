import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Description, Knowledge, KnowledgeProblem } from '../../domain/knowledge.ts'
import { type KnowledgeFile, parseKnowledge } from './parse-knowledge.ts'

/** Knowledge as it was read, not yet held to any database. */
export interface LoadedKnowledge {
  readonly knowledge: Knowledge
  readonly problems: readonly KnowledgeProblem[]
}

/** A file to read, and what it is called in problems. */
interface Source {
  readonly path: string
  readonly file: string
  readonly source: Description['source']
}

/** Folder, below that of the knowledge, of what models wrote. */
export const generatedFolder = 'generated'

/**
 * Reads what is known of a database: every `*.md` of the folder, what was generated for it, and `more` files. Those
 * about other databases are left out, with their problems. A folder that is not there knows nothing.
 */
export const loadKnowledge = async (
  folder: string,
  { database, more = [] }: { readonly database: string; readonly more?: readonly string[] },
): Promise<LoadedKnowledge> => {
  const sources: readonly Source[] = [
    ...more.map(path => ({ path, file: path, source: 'knowledge' as const })),
    ...(await listMarkdown(folder)).map(name => ({
      path: join(folder, name),
      file: `${basename(folder)}/${name}`,
      source: 'knowledge' as const,
    })),
    ...(await listMarkdown(join(folder, generatedFolder))).map(name => ({
      path: join(folder, generatedFolder, name),
      file: `${basename(folder)}/${generatedFolder}/${name}`,
      source: 'generated' as const,
    })),
  ]
  const files = await Promise.all(
    sources.map(async ({ path, ...about }) => parseKnowledge(await readFile(path, 'utf8'), about)),
  )
  const ours = files.filter(({ databases }) => databases === null || databases.includes(database))
  const all = <Part>(part: (file: KnowledgeFile) => readonly Part[]): readonly Part[] => ours.flatMap(part)
  return {
    knowledge: {
      terms: all(({ knowledge }) => knowledge.terms),
      rules: all(({ knowledge }) => knowledge.rules),
      descriptions: all(({ knowledge }) => knowledge.descriptions),
      joins: all(({ knowledge }) => knowledge.joins),
    },
    // A file without a readable head can be about any database, so its problem is reported for all.
    problems: files
      .filter(({ databases }) => databases === null || databases.length === 0 || databases.includes(database))
      .flatMap(({ problems }) => problems),
  }
}

const listMarkdown = async (folder: string): Promise<readonly string[]> => {
  try {
    const names = await readdir(folder)
    return names.filter(name => name.endsWith('.md') && name.toLowerCase() !== 'readme.md').sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** What a model said of the tables of a database, by table name. */
export interface GeneratedDescription {
  readonly table: string
  readonly text: string | null
  readonly columns: readonly { readonly column: string; readonly text: string }[]
}

/** Writes generated descriptions in the form of a knowledge file, to be read, corrected and committed by people. */
export const renderGeneratedDescriptions = (
  database: string,
  tables: readonly GeneratedDescription[],
): string => {
  const described = tables.filter(({ text, columns }) => text !== null || columns.length > 0)
  return [
    '---',
    `database: ${JSON.stringify(database)}`,
    '---',
    `# What a model wrote about ${database}`,
    '',
    'Made by `querent index --describe` from what was measured. Comments in the database and whatever stands in the',
    'other knowledge files win over it. To correct something, move it there: this file is written again.',
    '',
    '## Tables',
    ...described.flatMap(({ table, text, columns }) => [
      '',
      `### ${table}`,
      ...(text === null ? [] : [asProse(text)]),
      ...columns.map(one => `- \`${one.column}\`: ${one.text}`),
    ]),
    '',
  ].join('\n')
}

/** A sentence that began like a heading or a bullet would be read as one. */
const asProse = (text: string): string => text.replace(/^[#*-]+\s*/, '')

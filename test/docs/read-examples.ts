import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagePaths } from '../../docs/site/navigation.ts'
import { projectFolder } from '../../src/lib/project.ts'

/** A code block of a page. */
export interface Example {
  /** The page and the line, to find it again. */
  readonly where: string
  readonly language: string
  /** The file that it shows, or what it is; the site prints it above the block. */
  readonly title: string | null
  /** Whether a test runs it as it is written: the word `run` after the language. */
  readonly runs: boolean
  readonly text: string
}

/** Every code block of the documentation, in the order of the site. */
export const readExamples = (): readonly Example[] =>
  pagePaths.flatMap(path => {
    const page = readFileSync(join(projectFolder, path), 'utf8')
    return [...page.matchAll(/^( *)```(\w+)([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(match => {
      const [, indent = '', language = '', meta = '', text = ''] = match
      return {
        where: `${path}:${page.slice(0, match.index).split('\n').length}`,
        language,
        title: /title="([^"]*)"/.exec(meta)?.[1] ?? null,
        runs: /(^|\s)run(\s|$)/.test(meta),
        text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      }
    })
  })

/**
 * The commands of Querent in a block of shell lines, each as its arguments. Other commands, variables in front, comments
 * and redirections are left out.
 */
export const querentCommands = (text: string): readonly (readonly string[])[] =>
  shellLines(text).flatMap(line => {
    const words = shellWords(line.replace(/^([A-Z_]+=\S* )+/, ''))
    const start = ['npm run -s querent --', 'npx querent'].find(start =>
      words.join(' ').startsWith(`${start} `),
    )
    const command = start === undefined ? [] : words.slice(start.split(' ').length)
    // The demo is no command of the program: the starter of the package runs it.
    return command.length === 0 || command[0] === 'demo' ? [] : [command]
  })

/** The scripts of package.json that a block of shell lines names. */
export const npmScripts = (text: string): readonly string[] =>
  [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test|start))\b/g)].map(
    ([, script, short]) => script ?? short ?? '',
  )

/** Joins lines that a backslash or an open quote continues. */
const shellLines = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\n"'])+/g)
    ?.map(line => line.trim()) ?? []

/** Splits a line at its blanks, without quotes, as far as a comment or a redirection. */
const shellWords = (line: string): readonly string[] => {
  const words = (line.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g) ?? []).map(word =>
    /^[#>|<]/.test(word)
      ? null
      : word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  )
  const end = words.indexOf(null)
  return (end < 0 ? words : words.slice(0, end)).filter(word => word !== null)
}

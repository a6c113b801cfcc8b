import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from '@babel/parser'
import { expect, it } from 'vitest'

/**
 * Every sentence that a person reads in Slack is in src/slack/copy, so that its wording can be read and changed in one
 * place. Other files hold structure only: this test looks for text in their string literals.
 */

const root = join(import.meta.dirname, '../..')

/** Limits and checks of blocks are for developers, and ids are stored data. */
const withoutCopy = ['block-kit/blocks.ts', 'block-kit/schema.ts', 'action-ids.ts']

/** Calls whose text goes to the log or to a developer. */
const logCalls = /^(log|options\.log|deps\.log|logger)\.(debug|info|warn|error)$|^background\.run$/

/** The first argument of these names the work in the log. */
const namesWork = new Set(['onDigestClick', 'onHomeClick'])

/** Stored keys and formats of other systems, which are no sentences. */
const notSentences = new Set([
  // Keys of pending questions and of double clicks, which older processes have stored.
  'click {} {} {} {}',
  'command {}',
  'digest {}',
  'digest again {}',
  'home {}',
  'home {} {}',
  'schedule {}',
  'human-unreachable {}',
  // Slack's date format, for clients that cannot show it.
  '{} UTC',
  '{date_short_pretty} {time}',
  // The command that `commandProblems` quotes.
  '`/querent digest {}: {}`',
])

it('no file outside src/slack/copy holds a sentence that a person reads', () => {
  const files = readdirSync(join(root, 'src/slack'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.startsWith('copy/') && !withoutCopy.includes(path))
    .map(path => join(root, 'src/slack', path))
  expect(files.length).toBeGreaterThan(50)
  const found = files.flatMap(path =>
    sentencesIn(readFileSync(path, 'utf8')).map(text => `${relative(root, path)}: ${text}`),
  )
  expect(found).toEqual([])
})

it.each([
  ["const title = 'Delete this digest?'", ['Delete this digest?']],
  ["const title = 'Delete'", ['Delete']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code
  ['const text = `Only ${person} can choose`', ['Only {} can choose']],
  ["log.warn({ error }, 'a chart could not be shown')", []],
  ["background.run('showing votes', refresh)", []],
  ["throw new Error('the form was not parsed')", []],
  ["const id = 'digest_run'", []],
  ['const label = labels.save', []],
])('finds text that a person reads: %s', (source, sentences) => {
  expect(sentencesIn(source)).toEqual(sentences)
})

/** Text with two words, or with a capitalized word. Values in a template are written as `{}`. */
function sentencesIn(source: string): string[] {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] })
  return literalsIn(program)
    .map(text => text.replace(/\s+/g, ' ').trim())
    .filter(
      text => /[A-Za-z]{2,}[,.:;]? +\S*[A-Za-z{]{2,}/.test(text) || /^[A-Z][a-z]+\b[^/_.-]*$/.test(text),
    )
    .filter(text => !notSentences.has(text) && !isMarkup(text))
}

/** The page of an installation, and headers of its response. */
function isMarkup(text: string): boolean {
  return /^(<!doctype html>|<style>|text\/html;|default-src )/.test(text)
}

function literalsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn)
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  const known = node as Record<string, unknown> & { readonly type: string }
  switch (known.type) {
    case 'StringLiteral':
      return [String(known.value)]
    case 'TemplateLiteral': {
      const text = (known.quasis as { readonly value: { readonly cooked: string } }[])
        .map(({ value }) => value.cooked)
        .join('{}')
      return [text, ...literalsIn(known.expressions)]
    }
    case 'ImportDeclaration':
    case 'TSLiteralType':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return []
    case 'NewExpression':
      return /Error$/.test(nameOf(known.callee)) ? [] : literalsIn(Object.values(known))
    case 'CallExpression': {
      const callee = nameOf(known.callee)
      const values = known.arguments as unknown[]
      if (logCalls.test(callee)) return literalsIn(values.filter(value => !isText(value)))
      return literalsIn([known.callee, ...(namesWork.has(callee) ? values.slice(1) : values)])
    }
    case 'ObjectProperty':
      // `finishForm` names its work in the log.
      return nameOf(known.key) === 'what' ? [] : literalsIn(known.value)
    default:
      return literalsIn(Object.values(known))
  }
}

function isText(node: unknown): boolean {
  const { type } = node as { readonly type: string }
  return type === 'StringLiteral' || type === 'TemplateLiteral'
}

/** `log.warn` of the expression `log.warn`; empty for anything but names. */
function nameOf(node: unknown): string {
  const known = node as {
    readonly type: string
    readonly name?: string
    object?: unknown
    property?: unknown
  }
  if (known.type === 'Identifier') return known.name ?? ''
  if (known.type === 'MemberExpression') return `${nameOf(known.object)}.${nameOf(known.property)}`
  return ''
}

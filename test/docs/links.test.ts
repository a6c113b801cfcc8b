import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** The documentation names files and sections that are there. */

const root = join(import.meta.dirname, '../..')
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '' && !path.startsWith('fixtures/') && existsSync(join(root, path)))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```/g, '')

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(match => anchorOf(match[1] ?? ''))

it('links lead to a file and a section that are there', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(match => match[1] ?? '')
      .filter(link => !/^[a-z]+:/.test(link))
      .filter(link => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? join(root, path) : join(root, dirname(path), file)
        if (!existsSync(target)) return true
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
      })
      .map(link => `${path}: ${link}`),
  )
  expect(broken).toEqual([])
})

it('paths of the checkout that a page names are there', () => {
  const missing = pages.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /`((?:src|graphs|prompts|fixtures|test|training|weights|bench|simulator|docs)\/[\w./-]+)`/g,
      ),
    ]
      .map(match => match[1] ?? '')
      // Results of benchmarks and the documentation's site are made by running them.
      .filter(named => !/^(bench\/results|docs\/site\/dist)/.test(named) && !existsSync(join(root, named)))
      .map(named => `${path}: ${named}`),
  )
  expect(missing).toEqual([])
})

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { projectFolder } from '../../src/lib/project.ts'
import { pagePaths, readers, slugOf } from './navigation.ts'

/** Files that pages link to and that a browser can show as text. */
const shownFiles = ['.env.example', 'Dockerfile', 'docker-compose.yml', 'manifest.yml', 'querent.example.yml']

/**
 * Writes what the generator reads: every page with its title as front matter and with links of the site, its pictures,
 * and the navigation.
 *
 * @param folder emptied first
 */
export const stagePages = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of pagePaths) write(`pages/${slugOf(path)}.md`, stagePage(path, read(path)))
  write('pages/index.mdx', firstPage())
  write('navigation.json', JSON.stringify(navigation()))
  cpSync(join(projectFolder, 'docs/images'), join(folder, 'pages/images'), { recursive: true })
  for (const file of shownFiles) write(`public/${fileAddress(file)}`, read(file))
  write('public/favicon.svg', icon)
}

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')

/** A page as the generator reads it. */
export const stagePage = (path: string, text: string): string => {
  const title = path === 'README.md' ? 'Quick start' : titleOf(text)
  const body = (path === 'README.md' ? quickStart(text) : text).replace(/^# .*\n/, '')
  const isReference = path.startsWith('docs/reference/')
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(descriptionOf(body))}`,
    // Hundreds of settings would hide the page's own structure.
    ...(isReference ? ['tableOfContents: { maxHeadingLevel: 2 }'] : []),
    '---',
    '',
    outsideCode(body, part => rewriteLinks(part, path)),
  ].join('\n')
}

const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''

/** README without its list of the documentation, which the navigation is, and without what is for developers. */
const quickStart = (text: string): string => {
  const [start = ''] = text.split(/^## Documentation$/m)
  return start
}

/** The first paragraph without marks of Markdown, for search engines and previews of links. */
const descriptionOf = (body: string): string => {
  const paragraph =
    body
      .trim()
      .split(/\n\n+/)
      .find(part => /^[A-Za-z`[]/.test(part)) ?? ''
  return paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Changes only what is outside of code blocks. */
const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('')

/** Links relative to the file become links relative to the page, so that the site works under any address. */
const rewriteLinks = (text: string, path: string): string =>
  text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, mark: string, words: string, target: string) => {
    if (/^([a-z]+:|#)/.test(target)) return link
    const [file = '', anchor] = target.split('#')
    const named = posix.join(posix.dirname(path), file)
    if (mark === '!') return `![${words}](${toPages(path)}${named.replace(/^docs\//, '')})`
    const isPage = pagePaths.includes(named)
    if (isPage) {
      const label = /^[\w-]+\.md$/.test(words) ? titleOf(read(named)) : words
      return `[${label}](${toRoot(path)}${slugOf(named)}/${anchor === undefined ? '' : `#${anchor}`})`
    }
    if (shownFiles.includes(named)) return `[${words}](${toRoot(path)}${fileAddress(named)})`
    if (!existsSync(join(projectFolder, named)))
      throw new Error(`${path} links to ${target}, which is not there`)
    // Only in the repository: what it is, and where.
    return words === named || words === file ? `\`${named}\`` : `${words} (\`${named}\`)`
  })

/** From the address of a page to the first page. */
const toRoot = (path: string): string => '../'.repeat(slugOf(path).split('/').length)

/** From the file of a page to the folder of pages, where the pictures are. */
const toPages = (path: string): string => `./${'../'.repeat(slugOf(path).split('/').length - 1)}`

/** Without a leading dot, and so that browsers show it. */
const fileAddress = (file: string): string => `files/${file.replace(/^\./, '')}.txt`

const navigation = () =>
  readers.map(({ label, groups }) => ({
    label,
    items: groups.flatMap(({ label, pages, collapsed = false }): readonly unknown[] => {
      const items = pages.map(slugOf)
      return label === undefined ? items : [{ label, items, collapsed }]
    }),
  }))

/** The first page: what Querent is, and where each reader begins. */
const firstPage = (): string => {
  const [, about = ''] = read('README.md').split(/\n\n+/)
  const cards = readers.flatMap(({ label, about, groups }) => [
    '',
    `## ${label}`,
    '',
    about,
    '',
    '<CardGrid>',
    ...(groups[0]?.pages ?? []).map(path => card(path)),
    '</CardGrid>',
  ])
  return [
    '---',
    'title: Querent',
    `description: ${JSON.stringify(about.replace(/\s+/g, ' '))}`,
    'template: splash',
    'hero:',
    `  tagline: ${JSON.stringify(about.replace(/\s+/g, ' '))}`,
    '  actions:',
    '    - { text: Quick start, link: ./quick-start/, icon: right-arrow }',
    '    - { text: How to ask, link: ./asking/, variant: minimal }',
    '---',
    '',
    "import { CardGrid, LinkCard } from '@astrojs/starlight/components'",
    '',
    '![A question and its answer in Slack](./images/answer.png)',
    ...cards,
    '',
  ].join('\n')
}

const card = (path: string): string => {
  const title = path === 'README.md' ? 'Quick start' : titleOf(read(path))
  return `<LinkCard title={${JSON.stringify(title)}} href="./${slugOf(path)}/" />`
}

/** A table under a question mark. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f3a4d"/><path d="M11 11.5a5 5 0 1 1 7.2 4.5c-1.6.8-2.2 1.6-2.2 3" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="16" cy="24.5" r="2" fill="#fff"/></svg>
`

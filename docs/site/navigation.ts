import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../src/lib/project.ts'

/** Pages of one subject, in reading order. */
interface PageGroup {
  /** None for pages that stand directly under the reader. */
  readonly label?: string
  /** Paths from the root of the repository. */
  readonly pages: readonly string[]
  /** Whether the list is closed until someone opens it. */
  readonly collapsed?: true
}

/** A reader, and what they read. */
interface Reader {
  readonly label: string
  /** One sentence for the first page. */
  readonly about: string
  readonly groups: readonly PageGroup[]
}

const docs = (...names: readonly string[]): readonly string[] => names.map(name => `docs/${name}.md`)

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(projectFolder, folder))
    .filter(name => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map(name => `${folder}/${name}`)

/** Every page of the site in reading order, by the reader that it is for. */
export const readers: readonly Reader[] = [
  {
    label: 'Ask in Slack',
    about: 'You have a question about your data, and do not want to write SQL.',
    groups: [{ pages: docs('asking', 'digests') }],
  },
  {
    label: 'Run it',
    about: 'You install Querent, connect databases, teach it your words, and keep it running.',
    groups: [
      { pages: ['README.md', ...docs('ten-minutes', 'first-week', 'sample-company')] },
      {
        label: 'Connect',
        pages: docs('databases', 'slack', 'workspaces', 'mcp', 'models', 'configuration', 'containers'),
      },
      { label: 'Teach', pages: docs('knowledge', 'semantic-layer', 'verified', 'learning', 'strategies') },
      { label: 'Protect', pages: docs('security', 'access', 'safeguards', 'budgets', 'threats') },
      {
        label: 'Operate',
        pages: [...docs('operating', 'replicas', 'caching-and-limits', 'traces', 'support'), 'CHANGELOG.md'],
      },
      {
        label: 'Reference',
        pages: docs(
          'reference/settings',
          'reference/environment',
          'reference/command-line',
          'reference/slack-commands',
          'reference/metrics',
        ),
      },
    ],
  },
  {
    label: 'Change it',
    about: 'You read the code, measure it, or add to it.',
    groups: [
      {
        pages: [
          'CONTRIBUTING.md',
          ...docs('contributing/first-change', 'how-it-works', 'evaluation', 'benchmarks', 'simulator'),
        ],
      },
      {
        label: 'Recipes',
        pages: [
          'docs/contributing/README.md',
          ...filesIn('docs/contributing').filter(path => !path.endsWith('/first-change.md')),
        ],
        collapsed: true,
      },
      { label: 'Decisions', pages: filesIn('docs/decisions'), collapsed: true },
    ],
  },
]

/** Every page of the site. */
export const pagePaths: readonly string[] = readers.flatMap(({ groups }) =>
  groups.flatMap(({ pages }) => pages),
)

/** Where a page is on the site: `docs/slack.md` is `slack`. */
export const slugOf = (path: string): string => {
  const names: Readonly<Record<string, string>> = {
    'README.md': 'quick-start',
    'docs/contributing/README.md': 'contributing/recipes',
  }
  return (
    names[path] ??
    path
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
      .toLowerCase()
  )
}

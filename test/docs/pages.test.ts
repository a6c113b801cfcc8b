import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pagePaths, slugOf } from '../../docs/site/navigation.ts'
import { stagePage } from '../../docs/site/stage-pages.ts'
import { projectFolder } from '../../src/lib/project.ts'

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')

const written = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'docs/*.md'], {
  cwd: projectFolder,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '')

describe('the navigation', () => {
  it('has every page once', () => {
    expect([...pagePaths].toSorted()).toEqual(
      ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', ...written].toSorted(),
    )
    expect(new Set(pagePaths.map(slugOf)).size).toBe(pagePaths.length)
  })

  it('is as complete in README', () => {
    const readme = read('README.md')
    const guides = written.filter(path => !/^docs\/(contributing|decisions)\//.test(path))
    expect(guides.filter(path => !readme.includes(`(${path})`))).toEqual([])
  })
})

describe('a page for the generator', () => {
  const links = (text: string, path = 'docs/slack.md'): string =>
    stagePage(path, `# Title\n\n${text}\n`).split('---\n').at(-1)?.trim() ?? ''

  it('has its title and its first sentence in front', () => {
    expect(stagePage('docs/x.md', '# `A` title\n\nFor [you](slack.md) and\n`me`.\n\n## More\n')).toBe(
      '---\ntitle: "A title"\ndescription: "For you and me."\n---\n\n\nFor [you](../slack/) and\n`me`.\n\n## More\n',
    )
  })

  it('links to pages, sections and files as a browser finds them', () => {
    expect(links('[form](digests.md#schedules)')).toBe('[form](../digests/#schedules)')
    expect(links('[digests.md](digests.md)')).toBe('[Digests](../digests/)')
    expect(links('[here](#who)')).toBe('[here](#who)')
    expect(links('[manifest.yml](../manifest.yml)')).toBe('[manifest.yml](../files/manifest.yml.txt)')
    expect(links('![A](images/answer.png)')).toBe('![A](./images/answer.png)')
    expect(links('[x](../slack.md)', 'docs/contributing/add-a-connector.md')).toBe('[x](../../slack/)')
    expect(links('[x](../fixtures/business/README.md)')).toBe('x (`fixtures/business/README.md`)')
  })

  it('leaves code as it is', () => {
    expect(links('```md\n[x](slack.md)\n```')).toBe('```md\n[x](slack.md)\n```')
  })

  it('cannot link to a file that is not there', () => {
    expect(() => links('[x](gone.md)')).toThrow('docs/slack.md links to gone.md, which is not there')
  })

  it('has no list of pages on the quick start, which the navigation is', () => {
    expect(stagePage('README.md', read('README.md'))).toMatch(/^## Try it$/m)
    expect(stagePage('README.md', read('README.md'))).not.toMatch(/^## Documentation$/m)
  })
})

describe('the packages of the generator', () => {
  const folder = 'docs/site/generator'

  it('are pinned exactly', () => {
    const { dependencies } = JSON.parse(read(`${folder}/package.json`))
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('come from whichever registry npm is told to use', () => {
    expect(read(`${folder}/package-lock.json`)).not.toContain('"resolved"')
  })
})

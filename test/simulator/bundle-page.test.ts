import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundlePage } from '../../simulator/gateway/bundle-page.ts'

it('bundles the page once for the same sources', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  try {
    const first = await bundlePage(folder)
    expect(first.script).toContain('Simulator, not Slack.')
    expect(first.style).toContain('.banner')
    const files = await readdir(folder)
    expect(files.map(file => file.replace(/-.*\./, '.')).toSorted()).toEqual(['page.css', 'page.js'])
    await writeFile(join(folder, files.find(file => file.endsWith('.js')) ?? ''), 'from the cache')
    expect((await bundlePage(folder)).script).toBe('from the cache')
  } finally {
    await rm(folder, { recursive: true })
  }
})

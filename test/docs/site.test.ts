import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, isGeneratorInstalled } from '../../docs/site/build-site.ts'
import { pagePaths, slugOf } from '../../docs/site/navigation.ts'
import { hasChromium, launchChromium } from '../simulator/launch-chromium.ts'

/** The site is built from this checkout, and read in a browser that reaches no other server. */

const suite = 'the documentation site'

/** Where the generator is not installed, one line says so; with `QUERENT_REQUIRE_SERVICES=1` that is a failure. */
const hasGenerator = (): boolean => {
  if (isGeneratorInstalled()) return true
  if (process.env.QUERENT_REQUIRE_SERVICES === '1') {
    throw new Error(`${suite} needs its generator, and QUERENT_REQUIRE_SERVICES=1 allows no skipping`)
  }
  console.info(`skipped: ${suite}; to run it, install its generator: npm run docs -- --install`)
  return false
}

const types: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' },
  ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.txt': 'text/plain', '.wasm': 'application/wasm' },
}

describe.skipIf(!hasGenerator())(suite, () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-site-'))
  const base = '/docs/'

  // Dead links, and files that would come from another server, stop the build.
  beforeAll(() => buildSite({ out: folder, base }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has every page', () => {
    const missing = pagePaths.map(slugOf).filter(slug => !existsSync(join(folder, slug, 'index.html')))
    expect(missing).toEqual([])
  })

  it('shows options with their two dashes, and placeholders in angle brackets', () => {
    const page = readFileSync(join(folder, 'reference/command-line/index.html'), 'utf8')
    expect(page).toContain('on the terminal or with --reply')
    expect(page).toMatch(/short for --set shots=(&lt;|&#x3C;)n/)
  })

  describe.skipIf(!hasChromium(`${suite} in a browser`))('in a browser', () => {
    let browser: Browser
    const elsewhere: string[] = []

    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterAll(() => browser?.close())

    const open = async (path: string, width: number): Promise<Page> => {
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      page.on('pageerror', error => elsewhere.push(String(error)))
      await page.route('**/*', route => {
        const { host, pathname } = new URL(route.request().url())
        const file = join(folder, pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html'))
        if (host !== 'site.test' || !pathname.startsWith(base) || !existsSync(file)) {
          elsewhere.push(route.request().url())
          return route.abort()
        }
        return route.fulfill({ path: file, contentType: types[extname(file)] ?? 'application/octet-stream' })
      })
      await page.goto(`http://site.test${base}${path}`)
      return page
    }

    it('finds a setting without asking another server', async () => {
      const page = await open('', 1280)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('dialog').locator('input').fill('maxRows')
      await page.getByRole('link', { name: 'limits.maxRows' }).click()
      await page.getByRole('heading', { name: 'limits.maxRows' }).waitFor()
      expect(page.url()).toContain('/docs/reference/settings/#limitsmaxrows')
      expect(elsewhere).toEqual([])
      await page.close()
    })

    it.each(['', 'quick-start/', 'asking/', 'benchmarks/', 'reference/settings/', 'reference/metrics/'])(
      'fits the width of a phone: /%s',
      async path => {
        const page = await open(path, 390)
        const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
        expect(wider).toBeLessThanOrEqual(0)
        expect(elsewhere).toEqual([])
        await page.close()
      },
    )
  })
})

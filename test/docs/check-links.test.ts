import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findBrokenLinks } from '../../docs/site/check-links.ts'

/** What stops the build of the documentation site. */

const brokenIn = (pages: Readonly<Record<string, string>>, base = '/'): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-links-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, name), html)
  return findBrokenLinks(folder, base)
}

const other = '<h2 id="there">There</h2>'

it('finds nothing in links that lead somewhere', () => {
  const html = `<h2 id="here">Here</h2> <a href="#here">a</a> <a href="./other.html#there">b</a>
    <a href="/docs/other.html">c</a> <a class="x" href="https://example.com/">d</a> <img alt="" src="data:image/png;base64,">`
  expect(brokenIn({ 'index.html': html, 'other.html': other }, '/docs/')).toEqual([])
})

it.each([
  ['<a href="gone.html">', 'index.html: gone.html is not there'],
  ['<a title="x" href="/gone/">', 'index.html: /gone/ is not there'],
  ['<a href="other.html#gone">', 'index.html: other.html#gone has no such section'],
  ['<a href="#gone">', 'index.html: #gone has no such section'],
  ['<img alt="x" src="gone.png">', 'index.html: gone.png is not there'],
  [
    '<link rel="stylesheet" href="https://example.com/font.css">',
    'index.html: https://example.com/font.css is loaded from another server',
  ],
  [
    '<script async src="//example.com/count.js"></script>',
    'index.html: //example.com/count.js is loaded from another server',
  ],
])('finds %s', (html, problem) => {
  expect(brokenIn({ 'index.html': html, 'other.html': other })).toEqual([problem])
})

it('finds a link that leaves the folder of the site', () => {
  expect(brokenIn({ 'index.html': '<a href="/other.html">' }, '/docs/')).toEqual([
    'index.html: /other.html is outside of /docs/',
  ])
})

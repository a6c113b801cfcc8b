import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtName, projectFolder } from '../../src/lib/project.ts'

/** The page's script and style, ready to be sent. */
export interface PageBundle {
  readonly script: string
  readonly style: string
}

const pageFolder = join(projectFolder, 'simulator/page')

/**
 * Bundles the page with esbuild into `cacheFolder`, under a name made of the content of its sources and of the locked
 * packages: the second start reads two files. A package has the bundle instead of the sources.
 */
export const bundlePage = async (cacheFolder: string): Promise<PageBundle> => {
  if (!existsSync(pageFolder)) return readPage(shippedPage)
  const base = join(cacheFolder, `page-${await hashSources()}`)
  if (!existsSync(`${base}.css`)) await build(cacheFolder, base)
  return readPage(base)
}

/** Bundles the page for a package, whose large files are in `dist`. */
export const bundlePageInto = (dist: string): Promise<void> => build(dist, join(dist, pageName))

const pageName = builtName('simulator/page').replace(/\.js$/, '')

const shippedPage = join(projectFolder, 'dist', pageName)

const readPage = async (base: string): Promise<PageBundle> => ({
  script: await readFile(`${base}.js`, 'utf8'),
  style: await readFile(`${base}.css`, 'utf8'),
})

const hashSources = async (): Promise<string> => {
  const names = await readdir(pageFolder, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of [...files.sort(), join(projectFolder, 'package-lock.json')]) {
    hash.update(file.slice(projectFolder.length)).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** The style is written last: if it exists, so does the script, even if two processes build at once. */
const build = async (cacheFolder: string, base: string): Promise<void> => {
  const esbuild = await import('esbuild')
  const built = await esbuild.build({
    entryPoints: [join(pageFolder, 'main.tsx')],
    outfile: `${base}.js`,
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  await mkdir(cacheFolder, { recursive: true })
  const outputs = built.outputFiles.toSorted((a, b) => b.path.localeCompare(a.path))
  for (const { path, contents } of outputs) {
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, contents)
    await rename(unfinished, path)
  }
}

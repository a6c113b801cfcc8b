import { readFileSync } from 'node:fs'
import { satteri } from '@astrojs/markdown-satteri'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

/** The generator reads what `stage-pages.ts` wrote, and loads nothing from elsewhere: fonts and search are its own. */
const staged = new URL('./.staged/', import.meta.url)

export default defineConfig({
  publicDir: './.staged/public',
  trailingSlash: 'always',
  // The pictures are shown as they are.
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  // `--reply` must not become a dash.
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  integrations: [
    starlight({
      title: 'Querent',
      favicon: '/favicon.svg',
      customCss: ['./src/site.css'],
      sidebar: JSON.parse(readFileSync(new URL('navigation.json', staged), 'utf8')),
      credits: false,
      expressiveCode: { styleOverrides: { borderRadius: '0.4rem' } },
    }),
  ],
})

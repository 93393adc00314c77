import { task } from '../task.ts';

export const codeFrontend = task('code:frontend', 'code', {
  strong:
    'css, html, react, vue, svelte, tailwind, angular, flexbox, css grid, jsx, tsx, dom, navbar, ' +
    'hamburger menu, web page, webpage, media query, responsive, next.js, nuxt, stylesheet, ' +
    'sticky header, dark mode, tooltip, center a div, webseite, page web, página web, user interface, ' +
    'frontend, front-end, svg, usestate, useeffect, z-index, font-display, dark mode toggle, pagination, ' +
    'floating labels, menú desplegable, dropdown menu, auf dem handy, volle breite, login form, ' +
    'hamburger, css animation, web font, breakpoint*, react component, styled-components, bootstrap, ' +
    'material ui, hydration, event handler, drag and drop, datepicker, date picker, infinite scroll, ' +
    'checkbox, lazy load, small screens, cards in a row, wrap on, zentriere ich, localstorage, on hover, ' +
    'without a library, screen size, svelte store, on the phone, plain html, html/css, html css, ' +
    'in react, reactive forms, angular form, in svelte, solidjs, vue component, mit vue, 用vue, ' +
    'pricing page, hero section, landing page hero, toast, toast notification, autocomplete, ' +
    'star rating, carrousel, carousel, skeleton, loading skeleton, loading spinner, progress bar, ' +
    'drag-and-drop, draggable, web component, custom element, chart.js, three.js, footer, ' +
    'kontaktformular, contact form, form with validation, formulaire accessible, screen reader, ' +
    'keyboard navigation, wcag, object-fit, distorted, gap under, ellipsis, truncate text, collapsible, ' +
    'figma, storybook, redux, zustand, pinia, usememo, usecallback, two-way binding, media queries, ' +
    'mobile first, clicking outside, click outside, on click, onclick, hover effect, efecto hover, ' +
    'degradado, dégradé, verlauf, knopf, schaltfläche, menü, menu déroulant, modale, modal dialog, ' +
    'boîte de dialogue, vista previa, responsiv, adaptativ*, maquette, sverst*, 组件, 前端, 页面, 按钮, 样式, 居中, ' +
    '下拉, 省略号, 响应式, モーダル, ボタン, 画面, コンポーネント, レスポンシブ, сверста*, вёрстк*, кнопк*, адаптивн*, верстк*, ' +
    'equal height, countdown timer, background video, blurring, cut off on, 100vh, paginierung, ' +
    'hamburguesa, el móvil, beim scrollen, überschrift soll, logo on the left, make a background',
  words:
    'component, button, bouton, botón, dropdown, modal, animation, animated, hover, survol, viewport, ' +
    'layout, sortable, scroll, form validation, accessib*, aria, placeholder, spalte, kopfzeile, klick, ' +
    'landing page in, gradient, toggle, flickers, on load, handy, desplegable, table with sorting, ' +
    'navigation, render, input field, tabs, margin, padding, flex, follows the mouse, tooltips, ' +
    'two y axes, icon, 24x24, shadow, radius, pixel, rem, div, list when items, animate, theme switch, ' +
    'upload, preview, label for, widget, popover, tabs component, grid, clickable, touch',
  weak:
    'sticky, accordion, slider, canvas, img, sidebar, header, form, inputs, page, mobile, style, click, ' +
    'menu, font, below, breite, the ui',
});

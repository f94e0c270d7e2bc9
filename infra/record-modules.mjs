// Loaded before a program (`node --import`): writes the addresses of all its modules to the file OPALINE_MODULES.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const modules = new Set();
registerHooks({
  load(address, context, next) {
    if (address.startsWith('file:')) modules.add(address);
    return next(address, context);
  },
});
process.on('exit', () => writeFileSync(process.env.OPALINE_MODULES, [...modules].join('\n')));

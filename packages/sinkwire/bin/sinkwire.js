#!/usr/bin/env node
// In a folder of its own, so that a package manager can link it before anything is built.
import "../dist/cli.js";

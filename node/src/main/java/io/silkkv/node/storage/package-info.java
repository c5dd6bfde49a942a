/**
 * The node's directory on disk: who owns it, who has it open, and where each part of the node keeps
 * its files. Opened first when a node starts and released last.
 */
@NullMarked
package io.silkkv.node.storage;

import org.jspecify.annotations.NullMarked;

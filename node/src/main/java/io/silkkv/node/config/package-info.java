/**
 * From one YAML file, the environment and {@code --set} overrides to one checked {@link
 * io.silkkv.node.config.NodeConfig}. The only place that knows settings by their text keys; every
 * key is declared once, in {@link io.silkkv.node.config.Setting}.
 */
@NullMarked
package io.silkkv.node.config;

import org.jspecify.annotations.NullMarked;
